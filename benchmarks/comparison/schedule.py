"""How late an open loop sends, at half of what the closed loop reaches, beside the stalls of the machine itself."""
import os
import statistics

from .figures import median_interval

HALF_WITHIN_US = 1
MOST_WITHIN_US = 50


def run(product, options):
    rate = product.rate(form="memtier") / 2
    print(f"open loop at {rate:.0f} operations per second, half of what the closed loop reaches")
    print("| run | late p50, µs | p99, µs | within 1 µs | within 50 µs | hiccups p50, µs | p99, µs | unsent | load |")
    print("|---|---|---|---|---|---|---|---|---|")
    runs = []
    for number in range(options.pairs):
        values = product.run(form="memtier", rate=f"{rate:.0f}", seconds=options.seconds)
        runs.append(values)
        print(f"| {number + 1} | {values['late_p50_us']} | {values['late_p99_us']} | {values['late_within_1us']} "
              f"| {values['late_within_50us']} | {values['hiccup_p50_us']} | {values['hiccup_p99_us']} "
              f"| {values['unsent']} | {os.getloadavg()[0]:.1f} |", flush=True)
    half = of(runs, "late_p50_us", HALF_WITHIN_US)
    most = of(runs, "late_p99_us", MOST_WITHIN_US)
    print(f"hiccups of the machine beside: p99 {statistics.median(float(one['hiccup_p99_us']) for one in runs):.1f} µs")
    return half and most


def of(runs, name, limit):
    values = [float(one[name]) for one in runs]
    lower, upper, coverage = median_interval(values)
    held = upper < limit
    print(f"{name}: {statistics.median(values):.2f}, {100 * coverage:.1f} % interval {lower:.2f} to {upper:.2f}, "
          f"bound {limit}: {'met' if held else 'not met'}")
    return held
