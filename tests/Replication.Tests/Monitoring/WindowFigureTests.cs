using RedisLatency.Replication.Monitoring;

namespace RedisLatency.Replication.Tests.Monitoring;

/// <summary>The figures of a window in which heartbeats are waited for, or came at any moment of a long time.</summary>
public class WindowFigureTests
{
    private const long Millisecond = 1_000_000;

    [Fact]
    public void Figures_OfAWindowThatEndsInAnOutage_AreAtLeastWhatWasWaited()
    {
        var delays = DelaysOf(800);
        for (var waiting = 1; waiting <= 200; waiting++)
            delays.AddWaiting(waiting * 50 * Millisecond);

        WindowFigure.Percentile(delays, 50).Value!.Value.ShouldBeInRange(Millisecond / 2, Millisecond);
        foreach (var figure in (WindowFigure[])[WindowFigure.Percentile(delays, 95), WindowFigure.Max(delays)])
        {
            (figure.Value, figure.Most).ShouldBe((null, null));
            figure.Least!.Value.ShouldBeGreaterThan(7_000 * Millisecond);
        }

        WindowFigure.Mean(delays).Least!.Value.ShouldBeGreaterThan(900 * Millisecond);
    }

    [Fact]
    public void Figures_OfAWideInterval_AreItsEnds()
    {
        var delays = DelaysOf(900);
        for (var i = 0; i < 100; i++)
            (delays.Least, delays.Middle, delays.Most).Record(0, 2_000 * Millisecond, 4_000 * Millisecond);

        WindowFigure.Percentile(delays, 50).Value.ShouldNotBeNull();
        var max = WindowFigure.Max(delays);
        max.Value.ShouldBeNull();
        max.Most!.Value.ShouldBeGreaterThanOrEqualTo(4_000 * Millisecond);
    }

    [Fact]
    public void Mean_OfTheLastMinutes_IsKnownFromBelowWhereHeartbeatsHaveNoDelay()
    {
        var averages = new MovingAverages();
        averages.Add(Millisecond, Millisecond);
        averages.Of(1, overdue: 0).ShouldBe(new WindowFigure(Millisecond, Millisecond, Millisecond));
        averages.Of(1, overdue: 1).ShouldBe(WindowFigure.AtLeast(Millisecond));

        averages.AddMissing(1);

        averages.Of(1, overdue: 0).ShouldBe(WindowFigure.AtLeast(Millisecond));
    }

    // A poll that was answered after four seconds only: 80 heartbeats came at any moment of them.
    [Fact]
    public void Mean_OfTheLastMinutes_OfAWideInterval_IsItsEnds()
    {
        var averages = new MovingAverages();
        averages.Add(30 * Millisecond, 32 * Millisecond);
        averages.Of(1, overdue: 0).Value.ShouldBe(31 * Millisecond);

        for (var beat = 1; beat <= 80; beat++)
            averages.Add(0, beat * 50 * Millisecond);

        var average = averages.Of(1, overdue: 0);
        average.Value.ShouldBeNull();
        average.Least!.Value.ShouldBeLessThan(Millisecond);
        average.Most!.Value.ShouldBe(2_000 * Millisecond, Millisecond);
        averages.Of(1, overdue: 1).ShouldBe(WindowFigure.AtLeast(average.Least));
    }

    private static WindowDelays DelaysOf(int seen)
    {
        var delays = new WindowDelays();
        for (var i = 0; i < seen; i++)
            (delays.Least, delays.Middle, delays.Most).Record(Millisecond / 2, Millisecond / 2, Millisecond / 2);
        return delays;
    }
}

file static class Parts
{
    public static void Record(
        this (Metrics.Histograms.LatencyHistogram Least, Metrics.Histograms.LatencyHistogram Middle,
            Metrics.Histograms.LatencyHistogram Most) parts,
        long least, long middle, long most)
    {
        parts.Least.Record(least);
        parts.Middle.Record(middle);
        parts.Most.Record(most);
    }
}
