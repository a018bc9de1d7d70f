using System.Text;
using RedisLatency.Hosting.Output;
using RedisLatency.Reports.Output;

namespace RedisLatency.Hosting.Live;

public sealed class PlainViewTests
{
    [Fact]
    public void Lines_AreAlignedUnderTheirHeads() => Show(Snapshots.NothingYet, Snapshots.OpenLoop).ShouldBe(
        """
                                         RTT from actual send, µs, last interval
          time phase      rate/s   open      p50      p99    p99.9      max  lost errors
          0:00 warm-up         -      0        -        -        -        -     0      0
                                         RTT from intended send, µs, last interval
          time phase      rate/s   open      p50      p99    p99.9      max  lost errors
          0:41 measure      9998     12    45.31    88.00    120.0     1203     3      0

        """);

    [Fact]
    public void Heads_AreRepeatedEveryTwentyLines()
    {
        var lines = Show([.. Enumerable.Repeat(Snapshots.ClosedLoop, 41)]).Split('\n');

        lines.Count(line => line.Contains("p99.9")).ShouldBe(3);
        lines.ShouldAllBe(line => line.Length <= TextTable.PageWidth);
    }

    [Fact]
    public void Interval_AllocatesNothing()
    {
        var view = new PlainView(new LiveDescription("title"), new Diagnostics(Stream.Null));
        view.Show(Snapshots.OpenLoop);
        view.Show(Snapshots.OpenLoop);

        var before = GC.GetAllocatedBytesForCurrentThread();
        for (var interval = 0; interval < 15; interval++)
            view.Show(Snapshots.OpenLoop);

        (GC.GetAllocatedBytesForCurrentThread() - before).ShouldBe(0);
    }

    [Fact]
    public void TimeLeft_StandsInThePlaceOfThePhase_AsFarAsItIsKnown() => Show(
        new LiveDescription("title") { HasTimeLeft = true },
        Snapshots.NothingYet,
        Snapshots.OpenLoop with { Elapsed = TimeSpan.FromSeconds(30), Progress = 0.25 },
        Snapshots.OpenLoop with { Progress = null }).ShouldBe(
        """
                                         RTT from actual send, µs, last interval
          time    left    rate/s   open      p50      p99    p99.9      max  lost errors
          0:00 warm-up         -      0        -        -        -        -     0      0
                                         RTT from intended send, µs, last interval
          time    left    rate/s   open      p50      p99    p99.9      max  lost errors
          0:30    1:30      9998     12    45.31    88.00    120.0     1203     3      0
          0:41 measure      9998     12    45.31    88.00    120.0     1203     3      0

        """);

    private static string Show(params LiveSnapshot[] snapshots) => Show(new LiveDescription("title"), snapshots);

    private static string Show(LiveDescription description, params LiveSnapshot[] snapshots)
    {
        var stream = new MemoryStream();
        using var view = new PlainView(description, new Diagnostics(stream));
        foreach (var snapshot in snapshots)
            view.Show(snapshot);
        return Encoding.UTF8.GetString(stream.ToArray());
    }
}
