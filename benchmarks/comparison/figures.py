"""Pairs of runs, the interval of their ratios, and whether a bound is met."""
import math
import os
import statistics
from dataclasses import dataclass


@dataclass
class Row:
    """One line of the table."""

    other: str
    work: str
    ratio: float
    lower: float
    upper: float
    bound: float | None
    ours: float
    theirs: float
    rate: tuple[float, float, float]

    @property
    def held(self):
        return self.bound is None or self.upper <= self.bound

    @property
    def verdict(self):
        if self.bound is None:
            return "none"
        if self.held:
            return f"{self.bound:.2f}: met"
        return f"{self.bound:.2f}: not met" + (", though the median is" if self.ratio < self.bound else "")

    def __str__(self):
        rate, lower, upper = self.rate
        return (f"| {self.other} | {self.work} | {self.ratio:.3f} | {self.lower:.3f} to {self.upper:.3f} "
                f"| {self.verdict} | {self.ours:.3f} and {self.theirs:.3f} | {rate:.2f} ({lower:.2f} to {upper:.2f}) |")


HEADINGS = """\
| other | work | ratio of CPU | interval | bound | µs per operation | throughput ratio |
|---|---|---|---|---|---|---|"""


def median_interval(values, confidence=0.95):
    """The narrowest order-statistic interval of the median with that coverage, and its exact coverage (less than
    asked for where there are fewer than six values: then it is from the smallest to the largest)."""
    ordered, count = sorted(values), len(values)
    rank, outside = 0, 2 * 0.5 ** count
    while rank + 1 < count - 1 - rank:
        wider = outside + 2 * math.comb(count, rank + 1) * 0.5 ** count
        if wider > 1 - confidence:
            break
        rank, outside = rank + 1, wider
    return ordered[rank], ordered[count - 1 - rank], 1 - outside


def alternate(name, work, ours, theirs, count, figure=lambda run: run.cpu, unit="µs per operation"):
    """Runs both sides in turn, every second pair the other one first, so that a drift favours neither."""
    pairs = []
    for number in range(count):
        if number % 2 == 0:
            one, two = ours(), theirs()
        else:
            two, one = theirs(), ours()
        pairs.append((one, two))
        print(f"{name:<16} {work:<22} {number + 1:>2}/{count}: {figure(one):.3f} and {figure(two):.3f} {unit}, ratio "
              f"{figure(one) / figure(two):.3f}, load average {os.getloadavg()[0]:.1f}", flush=True)
    return pairs


def row(name, work, bound, pairs):
    ratios = [one.cpu / two.cpu for one, two in pairs]
    lower, upper, _ = median_interval(ratios)
    rates = [one.rate / two.rate for one, two in pairs]
    return Row(name, work, statistics.median(ratios), lower, upper, bound,
               statistics.median(one.cpu for one, _ in pairs), statistics.median(two.cpu for _, two in pairs),
               (statistics.median(rates), *median_interval(rates)[:2]))
