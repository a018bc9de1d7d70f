"""How late an open loop sends, at half of what the closed loop reaches, beside the pauses of the machine itself."""
import os
import statistics

from .figures import median_interval

HALF_WITHIN_US = 1
MOST_WITHIN_US = 50


def run(product, options):
    rate = product.rate() / 2
    print(f"open loop at {rate:.0f} operations per second, half of what the closed loop reaches")
    print("| run | late p50, µs | p99, µs | pauses of the machine p50, µs | p90, µs | unsent | load |")
    print("|---|---|---|---|---|---|---|")
    runs = []
    for number in range(options.pairs):
        values = product.run(rate=f"{rate:.0f}", duration=f"{options.seconds}s")
        runs.append(values)
        times = (f"{values.get(name, float('nan')) / 1e3:.2f}" for name in
                 ("lateness.p50", "lateness.p99", "hiccups.p50", "hiccups.p90"))
        print(f"| {number + 1} | {' | '.join(times)} | {values['unsent']} | {os.getloadavg()[0]:.1f} |", flush=True)
    half = of(runs, "lateness.p50", HALF_WITHIN_US)
    most = of(runs, "lateness.p99", MOST_WITHIN_US)
    return half and most


def of(runs, name, limit):
    values = [one[name] / 1e3 for one in runs]
    lower, upper, coverage = median_interval(values)
    held = upper < limit
    print(f"{name}: {statistics.median(values):.2f} µs, {100 * coverage:.1f} % interval {lower:.2f} to {upper:.2f}, "
          f"bound {limit}: {'met' if held else 'not met'}")
    return held
