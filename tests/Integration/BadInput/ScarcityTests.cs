namespace RedisLatency.Integration.BadInput;

/// <summary>A machine that gives too little says so by a sentence, not by a crash.</summary>
public sealed class ScarcityTests
{
    [Theory]
    [InlineData("ulimit -n 64", "may have 64 open files")]
    // The runtime itself starts, and gets no thread any more.
    [InlineData("ulimit -v 2000000", "no more memory or threads")]
    public async Task TooLittle_IsRefused(string limit, string sentence)
    {
        var outcome = await Outcome.OfShell($"{limit}; exec dotnet \"$PRODUCER\" --rate 0 --iterations 200 --warmup 0");

        outcome.ShouldBeRefused(3, sentence);
    }
}
