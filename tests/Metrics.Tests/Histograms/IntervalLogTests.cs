using RedisLatency.Metrics.Histograms;

namespace RedisLatency.Metrics.Tests.Histograms;

public class IntervalLogTests
{
    // Written by the Java HistogramLogWriter 2.1.12.
    private const string JavaLog =
        """
        #[Logged with example 1.0]
        #[Histogram log format version 1.3]
        #[StartTime: 1700000000.000 (seconds since epoch), Tue Nov 14 22:13:20 UTC 2023]
        #[BaseTime: 1700000000.000 (seconds since epoch)]
        "StartTimestamp","Interval_Length","Interval_Max","Interval_Compressed_Histogram"
        0.000,1.000,0.199,HISTFAAAADx42pNpmSzMwMBwkgECmKE0I5DpZrBjAYP9B4jA5gomWSZpIIaQCBaxfH4mXiZuIIZABAu7KO3kAcR9Dc4=
        Tag=rtt,1.000,1.000,0.299,HISTFAAAAD942pNpmSzMwMBwigECmKE0I5DpZrBjAYP9B4jA5g5GJl4g5AaTvGhsbCzqyrMzsYIhM5RGhcSLMjMBAG/gCto=
        2.000,1.000,0.399,HISTFAAAADJ42pNpmSzMwMBwigECmKE0I5DpZrBjAYP9B4jA0kmMTKwYkBmLGHZR4lXSWj8AaZ8I8g==

        """;

    private static readonly DateTimeOffset Start = DateTimeOffset.FromUnixTimeSeconds(1_700_000_000);

    [Fact]
    public void Read_OfJavasLog_GivesItsIntervals()
    {
        var intervals = Read(JavaLog).Intervals;

        intervals.Select(interval => interval.Tag).ShouldBe([null, "rtt", null]);
        intervals.Select(interval => interval.Start).ShouldBe([Start, Start.AddSeconds(1), Start.AddSeconds(2)]);
        intervals.ShouldAllBe(interval => interval.Length == TimeSpan.FromSeconds(1));
        intervals.Select(interval => Math.Round(interval.Histogram.Max / 1e6, 3)).ShouldBe([0.199, 0.299, 0.399]);
    }

    [Fact]
    public void Write_OfJavasIntervals_GivesJavasLogButForTheCompressor()
    {
        var written = Write(writer =>
        {
            foreach (var (tag, start, length, histogram) in Read(JavaLog).Intervals)
                writer.Write(tag, start, length, histogram);
        });

        WithoutHistograms(written).ShouldBe(WithoutHistograms(JavaLog));
        Read(written).Intervals.ShouldBe(Read(JavaLog).Intervals);
    }

    [Fact]
    public void Read_OfTheReferencesLog_GivesTheSameIntervals() =>
        Read(SharedVectors.Section("interval log").Split("```\n")[1]).Intervals.ShouldBe(Read(JavaLog).Intervals);

    [Fact]
    public void Read_OfALogWithTooManySeries_EndsAtTheLimit()
    {
        var log = new MemoryStream();
        var writer = new IntervalLogWriter(log, Start, "test");
        for (var series = 0; series <= IntervalLogReader.MostSeries; series++)
            writer.Write($"series-{series}", Start, TimeSpan.FromSeconds(1), Recorded(1));
        log.Position = 0;
        var reader = new IntervalLogReader(log);

        Should.Throw<HistogramFormatException>(() => reader.ReadAll().Count()).Message
            .ShouldContain($"more than {IntervalLogReader.MostSeries} series");
    }

    [Fact]
    public void Read_OfALogWithMoreValuesThanCanBeCounted_IsRefused()
    {
        var log = new MemoryStream();
        var writer = new IntervalLogWriter(log, Start, "test");
        for (var part = 0; part < 3; part++)
        {
            var many = LatencyHistogram.ForLatency();
            many.Record(1, IntervalLogReader.MostValues / 2);
            writer.Write(null, Start, TimeSpan.FromSeconds(1), many);
        }

        log.Position = 0;
        var reader = new IntervalLogReader(log);

        Should.Throw<HistogramFormatException>(() => reader.ReadAll().Count()).Message
            .ShouldContain("more values than can be counted");
    }

    [Fact]
    public void Read_OfALogCutAnywhere_GivesItsWholeIntervals()
    {
        var ends = new List<int>();
        var log = new MemoryStream();
        var writer = new IntervalLogWriter(log, Start, "test");
        foreach (var tag in (string?[])[null, "rtt", "lateness"])
        {
            writer.Write(tag, Start, TimeSpan.FromSeconds(1), Recorded(1_000, 2_000_000, -1));
            ends.Add((int)log.Length);
        }

        var bytes = log.ToArray();
        for (var length = 0; length <= bytes.Length; length++)
        {
            var reader = new IntervalLogReader(new MemoryStream(bytes, 0, length));
            var intervals = reader.ReadAll().ToList();

            // Only the line's end may be missing of a whole interval.
            intervals.Count.ShouldBe(ends.Count(end => end - 1 <= length), $"{length} bytes");
            intervals.ShouldAllBe(interval => interval.Histogram.Equals(Recorded(1_000, 2_000_000, -1)));
            var isAtALinesEnd = length == 0 || bytes[length - 1] == '\n' || ends.Contains(length + 1);
            reader.HasTornTail.ShouldBe(!isAtALinesEnd, $"{length} bytes");
        }
    }

    [Theory]
    [InlineData(1)]
    [InlineData(7)]
    [InlineData(1_000)]
    public void Read_OfALogThatComesInPieces_GivesTheSameIntervals(int atATime)
    {
        var longLines = Write(writer =>
        {
            for (var i = 0; i < 8; i++)
                writer.Write("rtt", Start, TimeSpan.FromSeconds(1), JavaVectors.Named("skewed").Filled());
        });
        var bytes = System.Text.Encoding.ASCII.GetBytes(JavaLog + longLines);

        var intervals = new IntervalLogReader(new DrippingStream(bytes, atATime)).ReadAll().ToList();

        intervals.Take(3).ShouldBe(Read(JavaLog).Intervals);
        intervals.Skip(3).ShouldBe(Read(longLines).Intervals);
        intervals.Count.ShouldBe(11);
    }

    [Fact]
    public void Write_OfValuesOutOfRange_KeepsTheirNumber()
    {
        var histogram = Recorded(5, -1, -2, long.MaxValue);

        var written = Write(writer =>
        {
            writer.Write("owd", Start, TimeSpan.FromSeconds(1), histogram);
            writer.Write("owd", Start, TimeSpan.FromSeconds(1), Recorded(6));
        });

        written.ShouldContain("#[OutOfRange: above=1 below=2]\nTag=owd,");
        Read(written).Intervals.Select(interval => interval.Histogram).ShouldBe([histogram, Recorded(6)]);
    }

    [Fact]
    public void Write_OfNeighbours_LeavesNoGapBetweenThem()
    {
        var length = TimeSpan.FromMicroseconds(1_000_600);
        var written = Write(writer =>
        {
            for (var i = 0; i < 10; i++)
                writer.Write(null, Start + (i * length), length, Recorded(1));
        });

        var intervals = Read(written).Intervals;
        intervals.Zip(intervals.Skip(1)).ShouldAllBe(pair => pair.First.Start + pair.First.Length == pair.Second.Start);
    }

    [Fact]
    public void Write_IsOneWriteAndOneFlushAnInterval()
    {
        var stream = new CountingStream();
        var writer = new IntervalLogWriter(stream, Start, "test");
        writer.Write("rtt", Start, TimeSpan.FromSeconds(1), Recorded(1, -1));

        stream.Writes.ShouldBe(2);
        stream.Flushes.ShouldBe(2);
    }

    [Fact]
    public void Write_InSteadyState_AllocatesOnlyTheCompressor()
    {
        var writer = new IntervalLogWriter(new CountingStream(), Start, "test");
        var histogram = Recorded([.. Enumerable.Range(0, 10_000).Select(i => i * 977L)]);
        histogram.Record(-1);
        writer.Write("rtt", Start, TimeSpan.FromSeconds(1), histogram);
        var before = GC.GetAllocatedBytesForCurrentThread();
        for (var i = 0; i < 10; i++)
            writer.Write("rtt", Start.AddSeconds(i), TimeSpan.FromSeconds(1), histogram);

        (GC.GetAllocatedBytesForCurrentThread() - before).ShouldBeLessThan(10 * 1_024);
    }

    [Theory]
    [InlineData("a,b")]
    [InlineData("a b")]
    [InlineData("a\nb")]
    [InlineData("ä")]
    [InlineData("")]
    public void Write_OfATagThatBreaksTheLine_Refuses(string tag) =>
        Should.Throw<ArgumentException>(
            () => Write(writer => writer.Write(tag, Start, TimeSpan.FromSeconds(1), Recorded(1))));

    [Theory]
    [InlineData("1.1")]
    [InlineData("1.2")]
    [InlineData("1.3")]
    public void Read_OfAnOlderVersion_GivesTheSameIntervals(string version) =>
        Read(JavaLog.Replace("version 1.3", $"version {version}", StringComparison.Ordinal)).Intervals
            .ShouldBe(Read(JavaLog).Intervals);

    [Fact]
    public void Read_WithoutBaseTime_CountsFromTheStartTime() =>
        Read(string.Concat(JavaLog.Split('\n').Where(line => !line.Contains("BaseTime")).Select(line => line + "\n")))
            .Intervals[1].Start.ShouldBe(Start.AddSeconds(1));

    [Fact]
    public void Read_WithCommentsEmptyLinesAndCrLf_PassesThemOver() =>
        Read(JavaLog.Replace("\n", "\r\n# a comment\r\n\r\n", StringComparison.Ordinal)).Intervals
            .ShouldBe(Read(JavaLog).Intervals);

    [Theory]
    [InlineData("nonsense\n")]
    [InlineData("1,2,3\n")]
    [InlineData("0.000,1.000,0.199,HISTF\n")]
    [InlineData("1e30,1.000,0.199,HISTEwAAAAEAAAAAAAAAAwAAAAAAAAABAAADRjC4oAA/8AAAAAAAAAA=\n")]
    [InlineData("0,-1.000,0.199,HISTEwAAAAEAAAAAAAAAAwAAAAAAAAABAAADRjC4oAA/8AAAAAAAAAA=\n")]
    [InlineData("#[Histogram log format version 2.0]\n")]
    [InlineData("#[OutOfRange: above=-1 below=0]\n")]
    [InlineData("#[StartTime: yesterday]\n")]
    public void Read_OfAWholeLineThatIsNone_SaysWhich(string line) =>
        Should.Throw<HistogramFormatException>(() => Read("# first\n" + line)).Message.ShouldStartWith("Line 2");

    private static LatencyHistogram Recorded(params long[] values)
    {
        var histogram = LatencyHistogram.ForLatency();
        foreach (var value in values)
            histogram.Record(value);
        return histogram;
    }

    private static string Write(Action<IntervalLogWriter> write)
    {
        var stream = new MemoryStream();
        write(new IntervalLogWriter(stream, Start, "example 1.0"));
        return System.Text.Encoding.ASCII.GetString(stream.ToArray());
    }

    private static (List<LoggedInterval> Intervals, bool IsTorn) Read(string log)
    {
        var reader = new IntervalLogReader(new MemoryStream(System.Text.Encoding.ASCII.GetBytes(log)));
        var intervals = reader.ReadAll().ToList();
        return (intervals, reader.HasTornTail);
    }

    private static string WithoutHistograms(string log) => string.Join(
        '\n', log.Split('\n').Select(line => line.Split("HISTF", 2)[0]));
}
