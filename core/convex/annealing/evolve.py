# SPDX-License-Identifier: GPL-3.0-or-later
"""The kernels of annealing.py: a population of weights that mutates and crosses under the rule of annealing.

Points are rows of X, those of P first, and the weights of one individual are a row of W. The state of an individual is
a row of S: the difference Σλp − Σμq, by how much the weights of P and of Q exceed 1 in all, the squares of the weights
below zero, and the objective with its penalty. `people` is a Population, which holds all three.
"""
import math

from ...geometry.squares import squared
from ...machine_code.jit import kernel

EXCESS, BELOW, FITNESS = 3, 5, 6        # columns of S: 3 for P, 4 for Q
STATE_COLUMNS = 7
MOVE_BITS = 26.0        # moves are from all of a weight down to 2^-26 of it
OVERSHOOT = 1.25        # and beyond: below zero
SINGLE_SHARE = 0.2      # of the moves change one weight only, and with it the sum
COOLING, STIFFENING = 0.85, 1.25
GENERATIONS = 40
TURN = 2                # of a schedule
TOURNAMENT = 12         # points that compete for being moved to
FREEZING = 2.0 ** -60   # the lowest temperature
BOUND_NOISE = 2.0 ** -48        # of the size 1: more than a height along a unit vector errs by


@kernel
def random(state):
    """A number between 0 and 1, both left out: two multiplicative generators combined (L'Ecuyer 1988). state: (2,)
    int64."""
    a = state[0] * 40014 % 2147483563
    b = state[1] * 40692 % 2147483399
    state[0] = a
    state[1] = b
    return ((a - b) % 2147483562 + 1) / 2147483563.0


@kernel
def penalised(S, k, stiffness):
    """The objective |Σλp − Σμq|² and the penalty: sums that are not 1, weights below zero."""
    objective = S[k, 0] * S[k, 0] + S[k, 1] * S[k, 1] + S[k, 2] * S[k, 2]
    sums = S[k, EXCESS] * S[k, EXCESS] + S[k, EXCESS + 1] * S[k, EXCESS + 1]
    return objective + stiffness * (sums + S[k, BELOW])


@kernel
def measure(people, k, stiffness):
    """Fill the state of individual k from its weights."""
    S = people.states
    for column in range(STATE_COLUMNS):
        S[k, column] = 0.0
    S[k, EXCESS] = -1.0
    S[k, EXCESS + 1] = -1.0
    for i in range(people.points.shape[0]):
        change(people, k, i, 0.0, people.weights[k, i])
    S[k, FITNESS] = penalised(S, k, stiffness)


@kernel
def change(people, k, i, old, new):
    """Take weight i of individual k from old to new."""
    X = people.points
    S = people.states
    step = new - old
    side = 1 if i >= people.count_p else 0
    sign = step * (1 - 2 * side)
    for x in range(3):
        S[k, x] += sign * X[i, x]
    S[k, EXCESS + side] += step
    below = min(0.0, old)
    S[k, BELOW] -= below * below
    below = min(0.0, new)
    S[k, BELOW] += below * below
    people.weights[k, i] = new


@kernel
def accepted(before, after, temperature, state):
    """True by the rule of Metropolis: always for what is better, for what is worse the more rarely the colder it is."""
    return after <= before or random(state) * math.exp(min(700.0, (after - before) / temperature)) < 1.0


@kernel
def pick(W, k, first, last, state):
    """One of the points first ≤ i < last, as likely as its weight is large."""
    total = 0.0
    for i in range(first, last):
        total += max(0.0, W[k, i])
    left = random(state) * total
    for i in range(first, last):
        left -= max(0.0, W[k, i])
        if left < 0.0:
            return i
    return last - 1


@kernel
def mutate(people, k, temperature, stiffness):
    """Move a share of one weight of individual k to another point of the same hull, or change one weight alone."""
    W = people.weights
    S = people.states
    state = people.random_state
    ends = people.count_p
    first = 0
    if random(state) < 0.5:
        first = people.count_p
        ends = people.points.shape[0]
    i = pick(W, k, first, ends, state)
    j = min(first + int(random(state) * (ends - first)), ends - 1)
    step = OVERSHOOT * abs(W[k, i]) * math.exp2(-MOVE_BITS * random(state))
    single = random(state)
    if single < 0.5 * SINGLE_SHARE:
        step = -step
    before = S[k, FITNESS]
    old_i = W[k, i]
    change(people, k, i, old_i, old_i - step)
    old_j = W[k, j]
    if single >= SINGLE_SHARE:
        change(people, k, j, old_j, old_j + step)
    after = penalised(S, k, stiffness)
    if accepted(before, after, temperature, state):
        S[k, FITNESS] = after
        return
    if single >= SINGLE_SHARE:
        change(people, k, j, W[k, j], old_j)
    change(people, k, i, W[k, i], old_i)


@kernel
def cross(people, k, mate, spare, temperature, stiffness):
    """Make a child between individual k and its mate, or a little beyond either, P and Q apart, in row `spare`; it may
    replace k."""
    W = people.weights
    S = people.states
    state = people.random_state
    share = 1.5 * random(state) - 0.25
    for i in range(people.points.shape[0]):
        if i == people.count_p:
            share = 1.5 * random(state) - 0.25
        W[spare, i] = W[k, i] + share * (W[mate, i] - W[k, i])
    measure(people, spare, stiffness)
    if accepted(S[k, FITNESS], S[spare, FITNESS], temperature, state):
        replace(people, k, spare)


@kernel
def replace(people, k, other):
    """Make individual k like another."""
    W = people.weights
    S = people.states
    for i in range(W.shape[1]):
        W[k, i] = W[other, i]
    for column in range(STATE_COLUMNS):
        S[k, column] = S[other, column]


@kernel
def evolve(people, moves, schedule, most):
    """Simulated annealing of the whole population, as far as `most` individuals in their generations; True when it is
    done.

    people: points of a size about 1, and the weights to begin with. moves: mutations of each individual between two
    cross-overs. schedule: (3,) float64, zeros at first: temperature, stiffness, and how many individuals had their
    turn.
    """
    S = people.states
    state = people.random_state
    last = people.weights.shape[0] - 1
    turn = int(schedule[TURN])
    temperature = schedule[0]
    stiffness = schedule[1]
    if turn == 0:
        temperature = 0.0
        stiffness = 1.0
        for k in range(last):
            measure(people, k, stiffness)
            temperature += S[k, FITNESS] / last
    stop = min(turn + most, GENERATIONS * last)
    while turn < stop:
        k = turn % last
        S[k, FITNESS] = penalised(S, k, stiffness)
        for _ in range(moves):
            mutate(people, k, temperature + FREEZING, stiffness)
        mate = min(int(random(state) * last), last - 1)
        cross(people, k, mate, last, temperature + FREEZING, stiffness)
        turn += 1
        if turn % last == 0:
            best = 0
            worst = 0
            for k in range(last):
                best = k if S[k, FITNESS] < S[best, FITNESS] else best
                worst = k if S[k, FITNESS] >= S[worst, FITNESS] else worst
            replace(people, worst, best)
            temperature *= COOLING
            stiffness *= STIFFENING
    schedule[0] = temperature
    schedule[1] = stiffness
    schedule[TURN] = turn
    return turn == GENERATIONS * last


@kernel
def best_of(people, stiffness):
    """The number of the best individual, once all have allowed weights."""
    W = people.weights
    S = people.states
    last = W.shape[0] - 1
    best = 0
    for k in range(last):
        repair(W, k, 0, people.count_p)
        repair(W, k, people.count_p, W.shape[1])
        measure(people, k, stiffness)
        best = k if S[k, FITNESS] < S[best, FITNESS] else best
    return best


@kernel
def repair(W, k, first, last):
    """Make weights first … last - 1 of individual k not negative, with the sum 1."""
    total = 0.0
    for i in range(first, last):
        W[k, i] = max(0.0, W[k, i])
        total += W[k, i]
    for i in range(first, last):
        W[k, i] = W[k, i] / total if total > 0.0 else 1.0 / (last - first)


@kernel
def freeze(people, k, moves):
    """Improve individual k at the temperature zero: moves between two points of one hull, each as far as is best and
    allowed."""
    X = people.points
    n = people.count_p
    W = people.weights
    S = people.states
    state = people.random_state
    for _ in range(moves):
        first = 0
        ends = n
        sign = 1.0
        if random(state) < 0.5:
            first = n
            ends = X.shape[0]
            sign = -1.0
        i = min(first + int(random(state) * (ends - first)), ends - 1)
        if W[k, i] == 0.0:
            i = pick(W, k, first, ends, state)
        j = i
        best = 0.0
        for _ in range(TOURNAMENT):
            other = min(first + int(random(state) * (ends - first)), ends - 1)
            gain = 0.0
            for x in range(3):
                gain += sign * S[k, x] * (X[i, x] - X[other, x])
            if gain > best:
                best = gain
                j = other
        slope = 0.0
        square = 0.0
        for x in range(3):
            along = X[j, x] - X[i, x]
            slope -= sign * S[k, x] * along
            square += along * along
        step = min(slope, square * W[k, i])
        if step > 0.0:
            step = min(step / square, W[k, i])
            change(people, k, i, W[k, i], W[k, i] - step)
            change(people, k, j, W[k, j], W[k, j] + step)


@kernel
def lower_bound(X, n, x, y, z):
    """A length that no difference p − q is below: the lowest along (x, y, z), less what rounding may add. n: how many
    points of X are of P."""
    length = math.sqrt(x * x + y * y + z * z)
    if length == 0.0:
        return 0.0
    low = math.inf
    high = -math.inf
    for i in range(X.shape[0]):
        height = x * X[i, 0] + y * X[i, 1] + z * X[i, 2]
        if i < n:
            low = min(low, height)
        else:
            high = max(high, height)
    return (low - high) / length - BOUND_NOISE


@kernel
def narrow(people, k, gap, meeting, beyond, moves, max_looks, ends):
    """True once it is certain that the distance lies within `gap`, is no more than `meeting`, or more than `beyond`;
    False after max_looks times `moves` moves of individual k at the temperature zero.

    ends: (2,) float64, the bounds found so far, zeros at first.
    """
    for _ in range(max_looks):
        freeze(people, k, moves)
        measure(people, k, 0.0)
        x = people.states[k, 0]
        y = people.states[k, 1]
        z = people.states[k, 2]
        ends[1] = math.sqrt(x * x + y * y + z * z)
        ends[0] = max(ends[0], lower_bound(people.points, people.count_p, x, y, z))
        if ends[1] <= meeting or ends[1] - ends[0] <= gap or ends[0] > beyond:
            return True
    return False


@kernel
def shallowest(X, n, direction, steps, warm, state, first, stop, lengths):
    """The least length found by which Q must move until it is apart, in any direction, by annealing on the sphere of
    directions, in the steps first ≤ step < stop of `steps`. Never less than the true least length.

    n: how many points of X are of P. direction: (2,3) float64, where to begin; in the end, the best in row 0. warm: the
    temperature at first. state: (2,) int64 of `random`. lengths: (2,) float64, of both directions, written.
    """
    if first == 0:
        lengths[0] = -lower_bound(X, n, direction[0, 0], direction[0, 1], direction[0, 2])
        lengths[1] = lengths[0]
        for axis in range(3):
            direction[1, axis] = direction[0, axis]
    best = lengths[0]
    here = lengths[1]
    for step in range(first, stop):
        cold = 1.0 - step / steps
        reach = 0.5 * math.exp2(-MOVE_BITS * random(state))
        x = direction[1, 0] + reach * (2.0 * random(state) - 1.0)
        y = direction[1, 1] + reach * (2.0 * random(state) - 1.0)
        z = direction[1, 2] + reach * (2.0 * random(state) - 1.0)
        length = math.sqrt(x * x + y * y + z * z)
        there = -lower_bound(X, n, x, y, z)
        if length > 0.01 and accepted(here, there, warm * squared(squared(squared(cold))) + FREEZING, state):
            here = there
            direction[1, 0] = x / length
            direction[1, 1] = y / length
            direction[1, 2] = z / length
            if there < best:
                best = there
                for axis in range(3):
                    direction[0, axis] = direction[1, axis]
    lengths[0] = best
    lengths[1] = here
    return best
