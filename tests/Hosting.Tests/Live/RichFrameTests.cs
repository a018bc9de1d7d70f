using Spectre.Console;

namespace RedisLatency.Hosting.Live;

public sealed class RichFrameTests
{
    private static readonly LiveDescription Titled = new("title") { Latency = "rtt", FromIntended = "rtt-intended" };

    [Fact]
    public void OpenLoop_InEightyColumns() => Render(Snapshots.OpenLoop, width: 76).ShouldBe(
        """
        RTT · raw · redis://10.0.0.5:6379 · run 7f3a
        MEASURE  0:41 / 2:00  ██████████████░░░░░░░░░░░░░░░░░░░░░░░░░░  34 %

        rate        target 10,000/s   achieved 9,998/s   lateness p99 18.20 µs
        messages    sent 410,000   returned 409,985   in flight 12
        missing     lost 3   late 1   unsent 0
        wrong       duplicated 0   reordered 2   errors 0
        this tool   longest pause 912.0 µs   GC 0 (0.000 µs)   CPU 37 %

        latency, µs                  p50      p90      p99    p99.9      max
        rtt-intended, interval     45.31    52.10    88.00    120.0    1,203
        rtt, interval              44.00    50.00    80.00    110.0    999.0
        rtt-intended, phase        45.10    51.00    87.00    119.0    2,100
        rtt, phase                 43.90    49.90    79.00    109.0    1,900

        p99 per interval  █  highest 88.00 µs

        Ctrl-C drains and reports; a second one ends at once.

        """);

    [Theory]
    [InlineData(76)]
    [InlineData(50)]
    public void WhatCannotBeLost_IsNotCountedAsLost(int width)
    {
        var text = Render(
            Snapshots.OpenLoop with { Errors = 7 },
            width,
            Titled with { Errors = "skipped", CanBeLost = false });

        text.ShouldContain("skipped 7");
        foreach (var other in (string[])["lost", "late ", "unsent", "duplicated", "reordered", "errors"])
            text.ShouldNotContain(other);
    }

    [Fact]
    public void ClosedLoop_HasNoTargetAndNoIntendedRow()
    {
        var text = Render(Snapshots.ClosedLoop, width: 76);

        text.ShouldNotContain("target");
        text.ShouldNotContain("intended");
        text.ShouldContain("p99 per interval  █  highest 80.00 µs");
    }

    [Fact]
    public void NothingYet_HasNoNumbersAndNoNaN()
    {
        var text = Render(Snapshots.NothingYet, width: 76);

        text.ShouldContain("WARM-UP  0:00\n");
        text.ShouldContain("achieved -");
        text.ShouldNotContain("NaN");
    }

    [Theory]
    [InlineData(56)]
    [InlineData(60)]
    public void NarrowTable_LeavesOutPercentiles_AndKeepsToItsWidth(int width)
    {
        var lines = Render(Snapshots.OpenLoop, width).Split('\n');

        lines.ShouldContain("latency, µs                  p50      p99      max");
        lines.ShouldAllBe(line => line.Length <= width);
        lines.Count(line => line.Contains('%')).ShouldBe(2);
    }

    [Theory]
    [InlineData(56)]
    [InlineData(76)]
    public void TimeLeft_IsRounded_AndStandsBesideTheBar(int width)
    {
        var snapshot = Snapshots.OpenLoop with { Elapsed = TimeSpan.FromSeconds(41.2) };

        var lines = Render(snapshot, width, Titled with { HasTimeLeft = true }).Split('\n');

        // 79.39 s more: neither 1:18 nor a line of its own.
        lines[1].ShouldMatch("^MEASURE  0:41 / 2:00  [█░]{9,}  34 %  1:19 left$");
        lines[1].Length.ShouldBeLessThanOrEqualTo(width);
    }

    [Fact]
    public void NarrowTerminal_HasOneLine() =>
        Render(Snapshots.OpenLoop, width: 50).ShouldBe("measure 0:41 9,998/s p99 88.00 µs lost 3\n");

    [Fact]
    public void VeryNarrowTerminal_CutsTheLine() => Render(Snapshots.OpenLoop, width: 18)
        .ShouldBe("measure 0:41 9,998\n");

    private static string Render(LiveSnapshot snapshot, int width, LiveDescription? description = null)
    {
        using var writer = new StringWriter { NewLine = "\n" };
        var console = AnsiConsole.Create(new AnsiConsoleSettings
        {
            Out = new AnsiConsoleOutput(writer),
            Ansi = AnsiSupport.No,
            ColorSystem = ColorSystemSupport.NoColors,
        });
        console.Profile.Width = width;
        var frame = new RichFrame(
            description ?? new LiveDescription("RTT · raw · redis://10.0.0.5:6379 · run 7f3a")
            {
                Latency = "rtt",
                FromIntended = "rtt-intended",
            });
        frame.Remember(snapshot);
        console.Write(frame.Render(snapshot, width));
        var lines = writer.ToString().ReplaceLineEndings("\n").Split('\n').Select(line => line.TrimEnd());
        return string.Join('\n', lines).TrimEnd('\n') + "\n";
    }
}
