using RedisLatency.Metrics.Histograms;
using RedisLatency.Metrics.Statistics;
using RedisLatency.Reports.Figures;

namespace RedisLatency.Producer.Tests.OneWay;

/// <summary>Pairs made by hand: forward takes about 40 ms, back about 38 ms.</summary>
internal static class SamplePair
{
    public const long SmallerMedianNs = 38_000_000;

    public static OneWayPair With(long errorNs) => new()
    {
        Consumer = "us-1 in us-east",
        ConsumerId = "00f00ba400f00ba5",
        ClockMode = "probes∩utc",
        Offset = new()
        {
            OffsetNs = 1_284_000,
            AtNs = 20_000_000_000,
            ErrorMedianNs = errorNs / 2,
            ErrorWorstNs = errorNs,
            SkewPpm = -3.41,
            SkewLowPpm = -3.9,
            SkewHighPpm = -2.9,
            Windows = 20,
            ProvenWindows = 20,
            Steps = 1,
            Breaks = [new(15_000_000_000, "step", -5_000_000)],
        },
        Probes = new()
        {
            Lanes = ["echo", "udp 10.0.0.5:7000"],
            Echoes = 123_456_789,
            Sent = 36_000,
            Answered = 35_990,
            AcceptedShare = 0.3114,
            MinNetworkNs = 77_000_000,
        },
        Claims =
        [
            new()
            {
                Name = "utc",
                Source = "eu-1 by chrony, us-1 by chrony",
                IsAccepted = true,
                Reason = "both hosts have an accepted claim",
                ErrorNs = 212_000,
            },
            new()
            {
                Name = "same clock",
                Source = "eu-1, us-1",
                IsAccepted = false,
                Reason = "they are not of one boot",
            },
        ],
        Assumptions =
        [
            new("oscillator", 50, "ppm", "how far either crystal may run from true time"),
            new("stamp-error", 100, "ns", "how far a stamp may be from its clock"),
        ],
        Series =
        [
            SeriesOf("forward-intended", 40_100_000, errorNs),
            SeriesOf("forward", 40_000_000, errorNs),
            SeriesOf("back", SmallerMedianNs, errorNs),
        ],
        Check = new(40_000_000, SmallerMedianNs, 78_000_000),
        Asymmetry = new(2_000_000, 2 * errorNs, 39_000_000),
        ConsumerSeries = new()
        {
            Received = 2_000,
            Count = 2_000,
            MeanNs = 40_000_100,
            MinNs = 39_000_000,
            MaxNs = 41_000_000,
        },
    };

    public static OneWaySeries SeriesOf(string name, long medianNs, long errorNs)
    {
        var histogram = SignedLatencyHistogram.ForLatency();
        var variation = LatencyHistogram.ForLatency();
        var blocks = new SampleBlocks(isSigned: true);
        var block = SignedLatencyHistogram.ForLatency();
        for (var n = 0; n < 2_000; n++)
        {
            // Each once, in no order that rises.
            var i = (n * 997 % 2_000) - 1_000;
            histogram.Record(medianNs + (i * 1_000));
            variation.Record((i + 1_000) * 1_000);
            block.Record(medianNs + (i * 1_000));
            if (n % 40 != 39)
                continue;
            blocks.Add(block, TimeSpan.FromSeconds(1));
            block.Reset();
        }

        return OneWaySeries.Of(name, histogram, errorNs, blocks) with
        {
            Variation = LatencySeries.Of(name, PercentileTable.Of(variation)),
        };
    }
}
