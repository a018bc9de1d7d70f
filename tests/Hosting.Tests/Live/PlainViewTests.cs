using System.Text;
using RedisLatency.Hosting.Output;
using RedisLatency.Hosting.Running;
using RedisLatency.Metrics.Histograms;
using RedisLatency.Reports.Output;

namespace RedisLatency.Hosting.Live;

public sealed class PlainViewTests
{
    private static readonly LiveDescription Titled = new("title") { Latency = "rtt", FromIntended = "rtt-intended" };

    private static readonly LiveSnapshot Busy = Snapshots.OpenLoop with { Latencies = Latencies(45_310) };

    [Fact]
    public void Lines_AreAlignedUnderTheirHeads() => Show(80, Snapshots.NothingYet, Busy).ShouldBe(
        """
                                         rtt, µs, since the last line
          time phase      rate/s   open      p50      p99    p99.9      max  lost errors
          0:00 warm-up         -      0        -        -        -        -     0      0
                                         rtt-intended, µs, since the last line
          time phase      rate/s   open      p50      p99    p99.9      max  lost errors
          0:41 measure      9998     12    45.31    45.31    45.31    45.31     3      0

        """);

    [Fact]
    public void NarrowTerminal_LeavesOutWhatMattersLeast() => Show(50, Busy).ShouldBe(
        """
                     rtt-intended, µs, since the last line
          time phase      rate/s      p99  lost errors
          0:41 measure      9998    45.31     3      0

        """);

    [Fact]
    public void Heads_AreRepeatedEveryTwentyLines()
    {
        var lines = Show(80, [.. Enumerable.Range(0, 41).Select(second => Busy with { Sent = second })]).Split('\n');

        lines.Count(line => line.Contains("p99.9")).ShouldBe(3);
        lines.ShouldAllBe(line => line.Length <= Pages.UsualWidth);
    }

    [Fact]
    public void WithoutATerminal_ThereIsALineInTenSeconds_OfAllTen_AndOneHead()
    {
        var seconds = Enumerable.Range(1, 41).Select(second => Busy with
        {
            Elapsed = TimeSpan.FromSeconds(second),
            AchievedRate = 100 * second,
            Latencies = Latencies(second * 1_000),
        });

        Show(null, [.. seconds]).ShouldBe(
            """
                                             rtt-intended, µs, since the last line
              time phase      rate/s   open      p50      p99    p99.9      max  lost errors
              0:01 measure       100     12    1.000    1.000    1.000    1.000     3      0
              0:11 measure       650     12    6.003    11.01    11.01    11.01     3      0
              0:21 measure      1650     12    16.01    21.01    21.01    21.01     3      0
              0:31 measure      2650     12    26.02    31.01    31.01    31.01     3      0
              0:41 measure      3650     12    36.03    41.02    41.02    41.02     3      0

            """);
    }

    [Theory]
    [InlineData(null)]
    [InlineData(80)]
    public void WhereNothingIsSentOrComesBack_ThereIsNoLine(int? columns)
    {
        var idle = Busy with { InFlight = 0, AchievedRate = 0, Latencies = LatencyHistogram.ForLatency() };
        var again = Busy with { InFlight = 0, Sent = Busy.Sent + 5, Elapsed = TimeSpan.FromSeconds(99) };

        var lines = Show(columns, [Busy, .. Enumerable.Repeat(idle, 50), again]).TrimEnd().Split('\n');

        // What was idle is in no rate.
        lines.Skip(2).Select(line => line.Trim()[..20]).ShouldBe(["0:41 measure      99", "1:39 measure      99"]);
    }

    [Fact]
    public void WarmUp_IsALineOfItsOwn()
    {
        var warmUp = Busy with { Phase = RunPhase.WarmUp, AchievedRate = 1, Latencies = Latencies(1_000_000) };

        var lines = Show(null, [.. Enumerable.Repeat(warmUp, 5), .. Enumerable.Repeat(Busy, 6)]).TrimEnd().Split('\n');

        lines[2..].Select(line => string.Join(' ', line.Split(' ', StringSplitOptions.RemoveEmptyEntries)[1..5]))
            .ShouldBe(["warm-up 1 12 1.000", "measure 9998 12 0.045"]);
    }

    [Fact]
    public void Interval_AllocatesNothing()
    {
        using var stop = new StopSignal();
        var diagnostics = new Diagnostics(Stream.Null);
        using var keys = new LiveKeys(isTerminal: false, diagnostics, stop);
        using var view = new PlainView(Titled, diagnostics, keys, () => 80);
        view.Show(Busy);
        view.Show(Busy);

        var before = GC.GetAllocatedBytesForCurrentThread();
        for (var interval = 0; interval < 15; interval++)
            view.Show(Busy);

        (GC.GetAllocatedBytesForCurrentThread() - before).ShouldBe(0);
    }

    [Fact]
    public void TimeLeft_StandsInThePlaceOfThePhase_AsFarAsItIsKnown() => Show(
        Titled with { HasTimeLeft = true },
        80,
        Busy with { Elapsed = TimeSpan.FromSeconds(30), Progress = 0.25 },
        Busy with { Progress = null }).ShouldBe(
        """
                                         rtt-intended, µs, since the last line
          time    left    rate/s   open      p50      p99    p99.9      max  lost errors
          0:30    1:30      9998     12    45.31    45.31    45.31    45.31     3      0
          0:41 measure      9998     12    45.31    45.31    45.31    45.31     3      0

        """);

    [Fact]
    public void WhatCannotBeLost_HasNoSuchColumn() => Show(
        Titled with { Errors = "skipped", CanBeLost = false }, 80, Busy).ShouldBe(
        """
                                         rtt-intended, µs, since the last line
          time phase      rate/s   open      p50      p99    p99.9      max skipped
          0:41 measure      9998     12    45.31    45.31    45.31    45.31       0

        """);

    private static LatencyHistogram Latencies(long latencyNs)
    {
        var latencies = LatencyHistogram.ForLatency();
        latencies.Record(latencyNs);
        return latencies;
    }

    private static string Show(int? columns, params LiveSnapshot[] snapshots) =>
        Show(Titled, columns, snapshots);

    private static string Show(LiveDescription description, int? columns, params LiveSnapshot[] snapshots)
    {
        var stream = new MemoryStream();
        var diagnostics = new Diagnostics(stream);
        using var stop = new StopSignal();
        using var keys = new LiveKeys(isTerminal: false, diagnostics, stop);
        using var view = new PlainView(description, diagnostics, keys, columns is { } width ? () => width : null);
        foreach (var snapshot in snapshots)
            view.Show(snapshot with { Interval = TimeSpan.FromSeconds(1) });
        return Encoding.UTF8.GetString(stream.ToArray());
    }
}
