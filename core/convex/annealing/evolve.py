# SPDX-License-Identifier: GPL-3.0-or-later
"""The kernels of annealing.py: a population of weights that mutates and crosses under the rule of annealing.

Points are in rows of X, those of P first, and the weights of one individual in a row of W. State of an individual, a
row of S: the difference Σλp − Σμq, by how much the weights of P and of Q exceed 1 in all, the squares of the
weights below zero, and the objective with its penalty.
"""
import math

from ...machine_code.jit import kernel

EXCESS, BELOW, FITNESS = 3, 5, 6        # columns of S: 3 for P, 4 for Q
COLUMNS = 7
SPREAD = 26.0           # moves are from all of a weight down to 2^-26 of it
OVERSHOOT = 1.25        # and beyond: below zero
ALONE = 0.2             # share of the moves that change one weight only, and with it the sum
COOLING, STIFFENING = 0.85, 1.25
SWEEPS = 40
TOURNAMENT = 12         # points that compete for being moved to
FREEZING = 2.0 ** -60
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
def measure(X, n, W, S, k, stiffness):
    """Fill the state of individual k from its weights."""
    for column in range(COLUMNS):
        S[k, column] = 0.0
    S[k, EXCESS] = -1.0
    S[k, EXCESS + 1] = -1.0
    for i in range(X.shape[0]):
        change(X, n, W, S, k, i, 0.0, W[k, i])
    S[k, FITNESS] = penalised(S, k, stiffness)


@kernel
def change(X, n, W, S, k, i, old, new):
    """Weight i of individual k goes from old to new."""
    step = new - old
    side = 1 if i >= n else 0
    sign = step * (1 - 2 * side)
    for x in range(3):
        S[k, x] += sign * X[i, x]
    S[k, EXCESS + side] += step
    below = min(0.0, old)
    S[k, BELOW] -= below * below
    below = min(0.0, new)
    S[k, BELOW] += below * below
    W[k, i] = new


@kernel
def accepted(before, after, temperature, state):
    """The rule of Metropolis: what is better always, what is worse the more rarely the colder it is."""
    return after <= before or random(state) * math.exp(min(700.0, (after - before) / temperature)) < 1.0


@kernel
def pick(W, k, first, last, state):
    """One of the points first ≤ i < last, as likely as its weight is large."""
    total = 0.0
    for i in range(first, last):
        total += max(0.0, W[k, i])
    place = random(state) * total
    for i in range(first, last):
        place -= max(0.0, W[k, i])
        if place < 0.0:
            return i
    return last - 1


@kernel
def mutate(X, n, W, S, k, temperature, stiffness, state):
    """Move a share of one weight to another point of the same hull, or change one weight alone."""
    ends = n
    first = 0
    if random(state) < 0.5:
        first = n
        ends = X.shape[0]
    i = pick(W, k, first, ends, state)
    j = min(first + int(random(state) * (ends - first)), ends - 1)
    step = OVERSHOOT * abs(W[k, i]) * 2.0 ** (-SPREAD * random(state))
    alone = random(state)
    if alone < ALONE and alone < 0.5 * ALONE:
        step = -step
    before = S[k, FITNESS]
    old_i = W[k, i]
    change(X, n, W, S, k, i, old_i, old_i - step)
    old_j = W[k, j]
    if alone >= ALONE:
        change(X, n, W, S, k, j, old_j, old_j + step)
    after = penalised(S, k, stiffness)
    if accepted(before, after, temperature, state):
        S[k, FITNESS] = after
        return
    if alone >= ALONE:
        change(X, n, W, S, k, j, W[k, j], old_j)
    change(X, n, W, S, k, i, W[k, i], old_i)


@kernel
def cross(X, n, W, S, k, mate, spare, temperature, stiffness, state):
    """A child between individual k and its mate, or a little beyond either, P and Q apart; it may take k's place."""
    share = 1.5 * random(state) - 0.25
    for i in range(X.shape[0]):
        if i == n:
            share = 1.5 * random(state) - 0.25
        W[spare, i] = W[k, i] + share * (W[mate, i] - W[k, i])
    measure(X, n, W, S, spare, stiffness)
    if accepted(S[k, FITNESS], S[spare, FITNESS], temperature, state):
        replace(W, S, k, spare)


@kernel
def replace(W, S, k, other):
    """Individual k becomes like another."""
    for i in range(W.shape[1]):
        W[k, i] = W[other, i]
    for column in range(COLUMNS):
        S[k, column] = S[other, column]


@kernel
def evolve(X, n, W, S, moves, state):
    """Simulated annealing of a whole population; gives the number of its best, whose weights then are allowed ones.

    X: (points,3) float64 of a size about 1, the first n of P; W: (individuals + 1, points), the last row scratch; the
    weights to begin with; S: (individuals + 1, 7); moves: mutations of each individual between two cross-overs;
    state: (2,) int64 of `random`.
    """
    last = W.shape[0] - 1
    temperature = 0.0
    stiffness = 1.0
    for k in range(last):
        measure(X, n, W, S, k, stiffness)
        temperature += S[k, FITNESS] / last
    for _ in range(SWEEPS):
        best = 0
        worst = 0
        for k in range(last):
            S[k, FITNESS] = penalised(S, k, stiffness)
            for _ in range(moves):
                mutate(X, n, W, S, k, temperature + FREEZING, stiffness, state)
            mate = min(int(random(state) * last), last - 1)
            cross(X, n, W, S, k, mate, last, temperature + FREEZING, stiffness, state)
        for k in range(last):
            best = k if S[k, FITNESS] < S[best, FITNESS] else best
            worst = k if S[k, FITNESS] >= S[worst, FITNESS] else worst
        replace(W, S, worst, best)
        temperature *= COOLING
        stiffness *= STIFFENING
    best = 0
    for k in range(last):
        repair(W, k, 0, n)
        repair(W, k, n, X.shape[0])
        measure(X, n, W, S, k, stiffness)
        best = k if S[k, FITNESS] < S[best, FITNESS] else best
    return best


@kernel
def repair(W, k, first, last):
    """Weights that are not below zero and have the sum 1."""
    total = 0.0
    for i in range(first, last):
        W[k, i] = max(0.0, W[k, i])
        total += W[k, i]
    for i in range(first, last):
        W[k, i] = W[k, i] / total if total > 0.0 else 1.0 / (last - first)


@kernel
def freeze(X, n, W, S, k, moves, state):
    """At the temperature zero: moves between two points of one hull, each as far as is best and allowed."""
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
            change(X, n, W, S, k, i, W[k, i], W[k, i] - step)
            change(X, n, W, S, k, j, W[k, j], W[k, j] + step)


@kernel
def lower_bound(X, n, x, y, z):
    """No difference p − q is shorter than this, less what is lost to rounding: the lowest along (x, y, z)."""
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
def narrow(X, n, W, S, k, gap, meeting, beyond, moves, turns, state, ends):
    """Freeze until it is certain that the distance lies within `gap`, is no more than `meeting`, or more than `beyond`,
    or `turns` times `moves` moves are done; True unless these were too few. ends: (2,) float64, the bounds found so
    far, zeros at first."""
    for _ in range(turns):
        freeze(X, n, W, S, k, moves, state)
        measure(X, n, W, S, k, 0.0)
        x = S[k, 0]
        y = S[k, 1]
        z = S[k, 2]
        ends[1] = math.sqrt(x * x + y * y + z * z)
        ends[0] = max(ends[0], lower_bound(X, n, x, y, z))
        if ends[1] <= meeting or ends[1] - ends[0] <= gap or ends[0] > beyond:
            return True
    return False


@kernel
def shallowest(X, n, direction, turns, warm, state):
    """The least length found by which Q must move until it is apart, along any direction, by annealing on the sphere
    of directions.

    direction: (2,3) float64, where to begin; in the end, the best in row 0. warm: the temperature at first. Never less
    than the true least length.
    """
    best = -lower_bound(X, n, direction[0, 0], direction[0, 1], direction[0, 2])
    here = best
    for axis in range(3):
        direction[1, axis] = direction[0, axis]
    for turn in range(turns):
        cold = 1.0 - turn / turns
        reach = 0.5 * 2.0 ** (-SPREAD * random(state))
        x = direction[1, 0] + reach * (2.0 * random(state) - 1.0)
        y = direction[1, 1] + reach * (2.0 * random(state) - 1.0)
        z = direction[1, 2] + reach * (2.0 * random(state) - 1.0)
        length = math.sqrt(x * x + y * y + z * z)
        there = -lower_bound(X, n, x, y, z)
        if length > 0.01 and accepted(here, there, warm * cold ** 8 + FREEZING, state):
            here = there
            direction[1, 0] = x / length
            direction[1, 1] = y / length
            direction[1, 2] = z / length
            if there < best:
                best = there
                for axis in range(3):
                    direction[0, axis] = direction[1, axis]
    return best
