using RedisLatency.Messaging.OneWay;
using RedisLatency.Metrics.HostClocks;
using RedisLatency.Metrics.Offsets;
using RedisLatency.Metrics.Regimes;
using RedisLatency.Producer.OneWay;

namespace RedisLatency.Producer.Tests.OneWay;

/// <summary>However many echoes come a second, the tracker can wait for the hosts' word of a sleep.</summary>
public class EchoThinningTests
{
    private const double Second = 1e9;
    private const double Batch = Second / 20;
    private const double Way = 14e6;
    private const double SleptAt = 9.62 * Second;
    private const double Slept = 20e6;
    private const int Seconds = 20;

    /// <summary>Batches between two words of the hosts: on a bad route their answers are late.</summary>
    private const int WordEvery = 80;

    [Fact]
    public void Sleep_OfAConsumerThatReturnsManyEchoes_IsPartedFromProbesAsOfOneThatReturnsFew()
    {
        var few = Track(400);
        var many = Track(40_000);

        Misses(few).ShouldBeEmpty();
        Misses(many).ShouldBeEmpty();
        SleepIn(many).ShouldBe(SleepIn(few));
    }

    private static (long StartNs, long EndNs, bool IsProven) SleepIn(List<OffsetWindow> windows)
    {
        var asleep = windows.Where(window => window.Break == OffsetBreak.Suspended).ShouldHaveSingleItem();
        return (asleep.StartNs, asleep.EndNs, asleep.IsProven);
    }

    private static IEnumerable<string> Misses(IEnumerable<OffsetWindow> windows) =>
        from window in windows
        where window.IsProven
        from part in Enumerable.Range(0, 41)
        let at = window.StartNs + ((window.EndNs - 1 - window.StartNs) / 40 * part)
        let miss = Math.Abs(TruthAt(at) - window.OffsetAt(at))
        where miss > window.ErrorAt(at)
        select $"off by {miss:F0} of {window.ErrorAt(at)} at {at / Second:F3} s";

    private static List<OffsetWindow> Track(double rate)
    {
        var tracker = new OffsetTracker(new OffsetAssumptions());
        var statuses = new ClockStatusFeed(tracker);
        var windows = new List<OffsetWindow>();
        var batch = new List<MessageStamps>();
        var echoes = Echoes(rate);
        var next = 0;
        for (var now = Batch; now <= Seconds * Second; now += Batch)
        {
            batch.Clear();
            while (next < echoes.Count && echoes[next].Returned < now)
                batch.Add(echoes[next++]);
            EchoThinning.Feed(batch.ToArray(), tracker);
            if ((long)(now / Batch) % WordEvery == 0)
                Tell(now, statuses);
            while (tracker.TryTake(out var window))
                windows.Add(window);
        }

        tracker.Complete((long)(Seconds * Second));
        while (tracker.TryTake(out var last))
            windows.Add(last);
        return windows;
    }

    private static List<MessageStamps> Echoes(double rate)
    {
        var random = new Random(1);
        var echoes = new List<MessageStamps>();
        for (var sent = 1e6; sent < (Seconds - 1) * Second; sent += Second / rate)
        {
            var received = sent + Way + (200e3 * random.NextDouble());
            var echoed = received + 3e3;
            var returned = echoed + Way + (200e3 * random.NextDouble());
            echoes.Add(new MessageStamps(1, 0, echoes.Count, (long)sent, (long)sent,
                (long)(received + TruthAt(received)), (long)(echoed + TruthAt(echoed)), (long)returned));
        }

        echoes.Sort((one, other) => one.Returned.CompareTo(other.Returned));
        return echoes;
    }

    private static void Tell(double now, ClockStatusFeed statuses)
    {
        var received = now - Way;
        var atConsumer = (long)(received + TruthAt(received));
        var slept = Math.Clamp(received - SleptAt, 0, Slept);
        statuses.HearLocal(new ClockStatus((long)now, 0, -1, 0, 0));
        statuses.HearPeer(new ClockProbe((long)(received - Way), atConsumer, atConsumer, (long)now),
            new ClockStatus(atConsumer, 0, -1, 0, (long)slept));
    }

    private static double TruthAt(double at) => 5e9 + (5e-6 * at) - Math.Clamp(at - SleptAt, 0, Slept);
}
