using RedisLatency.Reports.Values;

namespace RedisLatency.Hosting.Tests.Options;

public sealed class SyntaxTests
{
    [Theory]
    [InlineData("1000", 1_000)]
    [InlineData("10k", 10_000)]
    [InlineData("1m", 1_000_000)]
    [InlineData("2.6k", 2_600)]
    [InlineData("1e3", 1_000)]
    [InlineData("0.5", 0.5)]
    [InlineData("0", 0)]
    [InlineData("10m", 10_000_000)]
    public void Number_WithSuffix_IsExact(string text, double expected)
    {
        Syntax.Number(0, 10_000_000).Read(text).ShouldBe(new ValueReading<double>(expected, null));
    }

    [Theory]
    [InlineData("1e9", "at most 10,000,000 messages per second")]
    [InlineData("1e400", "at most 10,000,000 messages per second")]
    [InlineData("10000000.1", "at most 10,000,000 messages per second")]
    [InlineData("-1", "at least 0 messages per second")]
    [InlineData("NaN", "a number is needed, for instance 1000, 10k or 2.6m")]
    [InlineData("fast", "a number is needed, for instance 1000, 10k or 2.6m")]
    [InlineData("", "a number is needed, for instance 1000, 10k or 2.6m")]
    [InlineData("k", "a number is needed, for instance 1000, 10k or 2.6m")]
    [InlineData("10,000", "a number is needed, without thousands separators, for instance 10000, 10k or 2.5")]
    public void Number_ThatIsWrong_SaysWhatWouldBeRight(string text, string problem)
    {
        Syntax.Number(0, 10_000_000, "messages per second").Read(text).Problem.ShouldBe(problem);
    }

    [Theory]
    [InlineData("2.6k", null, 2_600)]
    [InlineData("1.5", "a whole number is needed", 0)]
    [InlineData("1e30", "at most 5,000 messages", 0)]
    [InlineData("-1e30", "at least 1 message", 0)]
    public void Count_TakesWholeNumbersOnly(string text, string? problem, long expected)
    {
        var reading = Syntax.Count(1, 5_000, "messages").Read(text);

        reading.Problem.ShouldBe(problem);
        if (problem is null)
        {
            reading.Value.ShouldBe(expected);
        }
    }

    [Theory]
    [InlineData("500ms", 500_000)]
    [InlineData("2s", 2_000_000)]
    [InlineData("1m30s", 90_000_000)]
    [InlineData("100us", 100)]
    [InlineData("100µs", 100)]
    [InlineData("1h", 3_600_000_000)]
    [InlineData("1.5s", 1_500_000)]
    [InlineData("0", 0)]
    public void Duration_WithUnit_IsRead(string text, long microseconds)
    {
        Syntax.Duration().Read(text).ShouldBe(new(TimeSpan.FromMicroseconds(microseconds), null));
    }

    [Theory]
    [InlineData("500", "a duration needs a unit, for instance 500ms or 500s")]
    [InlineData("soon", "a duration is needed, for instance 500ms, 2s, 1m30s or 100us")]
    [InlineData("", "a duration is needed, for instance 500ms, 2s, 1m30s or 100us")]
    [InlineData("30s1m", "a duration is needed, for instance 500ms, 2s, 1m30s or 100us")]
    [InlineData("5 s", "a duration is needed, for instance 500ms, 2s, 1m30s or 100us")]
    [InlineData("1ns", "the finest step is 100ns")]
    [InlineData("999999999d", "too long")]
    [InlineData("2h", "at most 1h")]
    [InlineData("1us", "at least 1ms")]
    [InlineData("-5s", "at least 1ms")]
    public void Duration_ThatIsWrong_SaysWhatWouldBeRight(string text, string problem)
    {
        Syntax.Duration(TimeSpan.FromMilliseconds(1), TimeSpan.FromHours(1)).Read(text).Problem.ShouldBe(problem);
    }

    [Theory]
    [InlineData("90s", "1m30s")]
    [InlineData("1500ms", "1.5s")]
    [InlineData("250us", "250us")]
    [InlineData("26h", "1d2h")]
    [InlineData("1.25ms", "1.25ms")]
    [InlineData("0", "0s")]
    public void Duration_Written_IsShort(string text, string written)
    {
        Syntax.Duration().Write(Syntax.Duration().Read(text).Value).ShouldBe(written);
    }

    [Theory]
    [InlineData("64", 64)]
    [InlineData("512B", 512)]
    [InlineData("1KiB", 1_024)]
    [InlineData("1MiB", 1_048_576)]
    [InlineData("0.5kib", 512)]
    public void Size_IsRead(string text, long bytes)
    {
        Syntax.Size(0, 1 << 20).Read(text).ShouldBe(new(bytes, null));
    }

    [Theory]
    [InlineData("2MiB", "at most 1MiB")]
    [InlineData("1kb", "the unit is not known: B, KiB, MiB or GiB (1KiB is 1,024 bytes)")]
    [InlineData("1.5", "a whole number of bytes is needed")]
    [InlineData("big", "a size is needed, for instance 64, 512B, 1KiB or 1MiB")]
    [InlineData("99999999999999999999GiB", "at most 1MiB")]
    public void Size_ThatIsWrong_SaysWhatWouldBeRight(string text, string problem)
    {
        Syntax.Size(0, 1 << 20).Read(text).Problem.ShouldBe(problem);
    }

    [Theory]
    [InlineData("16..1024", 16, 1_024)]
    [InlineData("16..1KiB", 16, 1_024)]
    [InlineData("64", 64, 64)]
    public void Range_IncludesBothEnds(string text, long least, long most)
    {
        Syntax.Range(Syntax.Size(0, 1 << 20)).Read(text).ShouldBe(new(new(least, most), null));
    }

    [Theory]
    [InlineData("1024..16", "a range goes from the smaller value to the larger one")]
    [InlineData("16..", "a size is needed, for instance 64, 512B, 1KiB or 1MiB")]
    [InlineData("0..2MiB", "at most 1MiB")]
    public void Range_ThatIsWrong_SaysWhatWouldBeRight(string text, string problem)
    {
        Syntax.Range(Syntax.Size(0, 1 << 20)).Read(text).Problem.ShouldBe(problem);
    }

    [Theory]
    [InlineData("stackexchange", null)]
    [InlineData("RAW", null)]
    [InlineData("ra", "one of raw, stackexchange is needed; did you mean raw?")]
    [InlineData("jedis", "one of raw, stackexchange is needed")]
    [InlineData("1", "one of raw, stackexchange is needed")]
    public void Choice_TakesItsWordsOnly(string text, string? problem)
    {
        Syntax.Choice<Hosting.Options.DriverKind>().Read(text).Problem.ShouldBe(problem);
    }

    [Theory]
    [InlineData("true", true)]
    [InlineData("ON", true)]
    [InlineData("1", true)]
    [InlineData("no", false)]
    [InlineData("False", false)]
    public void Flag_FromFileOrEnvironment_IsRead(string text, bool expected)
    {
        Syntax.Flag.Read(text).ShouldBe(new(expected, null));
    }
}
