using System.Globalization;
using RedisLatency.Lab.Worlds;
using RedisLatency.Metrics.Regimes;
using RedisLatency.Server.Links;

namespace RedisLatency.Lab.SelfTest;

/// <summary>Clocks that jump or stand still, for less than a message takes there and back, or hardly more.</summary>
internal static class BreakRows
{
    // Above half of the round trip, and of what floors of 13.5 ms and a busy machine leave of it.
    private const long Most = 18_000_000;
    private const long MostWithFloors = 2_000_000;

    // Below and above the round trip of 28 ms.
    private static readonly int[] SleepsMs = [20, 24, 8, 40, 12];

    public static IEnumerable<Row> All { get; } =
    [
        new("consumer-asleep", "the consumer's host sleeps five times, for 8 to 40 ms, 14 ms away",
            length => Wan with { ConsumerClock = Sleeps(length) }, CheckSleeps),
        new("producer-asleep", "the producer's host sleeps so",
            length => Wan with { ProducerClock = Sleeps(length) }, CheckSleeps),
        new("small-step", "a step of 24 ms, below the round trip of 28 ms",
            length => Wan with { ConsumerClock = $"step=24ms@{World.At(length, 0.5)}" },
            seen => Check(seen, Most)),
        new("small-step-floor", "a step of 1 ms, below the round trip less floors of 13.5 ms",
            length => Wan with
            {
                ConsumerClock = $"step=1ms@{World.At(length, 0.5)}",
                ProducerOptions = ["--floor-time", "13.5ms"],
            },
            seen => Check(seen, MostWithFloors)),
        new("freeze", "both clocks stand still in turn, for 20 ms (below the round trip) and 50 ms, then catch up",
            length => Wan with
            {
                ConsumerClock = $"freeze=20ms@{World.At(length, 0.2)},freeze=50ms@{World.At(length, 0.4)}",
                ProducerClock = $"freeze=20ms@{World.At(length, 0.6)},freeze=50ms@{World.At(length, 0.8)}",
            },
            seen => Check(Watched(seen), Most)),
    ];

    private static World Wan => new() { Link = LinkProfile.Symmetric(TimeSpan.FromMilliseconds(14)) };

    // Each at another phase of the second in which a host looks at its clocks.
    private static string Sleeps(TimeSpan length) => string.Join(',', SleepsMs.Select((ms, turn) => string.Create(
        CultureInfo.InvariantCulture, $"suspend={ms}ms@{World.At(length, 0.1 + (0.172 * turn))}")));

    // Two that are near may be one window, and none is found by a jump alone: three are below the round trip.
    private static IEnumerable<Finding> CheckSleeps(Observation seen)
    {
        var said = seen.Windows.Count(window => window.Break == OffsetBreak.Suspended);
        return
        [
            .. Check(seen, Most),
            new Finding("windows in which a host slept", "at least 1", Amount.Count(said), said >= 1),
        ];
    }

    // A clock that stands still while the machine does, too, and nothing is stamped, is nobody's to see: the windows of
    // such a moment say nothing of the tool.
    private static Observation Watched(Observation seen)
    {
        const long longest = 10_000_000;
        // By both clocks, because one of them may be the one that stands.
        var silences = seen.Messages.Zip(seen.Messages.Skip(1))
            .Where(pair => pair.Second.Returned - pair.First.Returned > longest
                && pair.Second.Received - pair.First.Received > longest)
            .Select(pair => (FromNs: pair.First.Sent, ToNs: pair.Second.Returned))
            .Where(silence => seen.Clocks.BreaksBetween(silence.FromNs, silence.ToNs)).ToArray();
        return seen with
        {
            Windows = [.. seen.Windows.Where(window => !silences.Any(silence =>
                silence.FromNs < window.EndNs && silence.ToNs > window.StartNs))],
        };
    }

    // The median: what is beside a break may be wider.
    private static IEnumerable<Finding> Check(Observation seen, long mostErrorNs) =>
        [.. OffsetChecks.ProvenInside(seen, 0.5), OffsetChecks.ErrorBetween(seen, 0, mostErrorNs)];
}
