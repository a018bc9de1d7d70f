namespace RedisLatency.Integration.BadInput;

/// <summary>A machine that gives too little says so by a sentence, not by a crash.</summary>
public sealed class ScarcityTests
{
    [Theory]
    [InlineData("ulimit -n 64", "may have 64 open files")]
    // The runtime itself starts, and would get no thread, or no memory, at a moment of its own choice.
    [InlineData("ulimit -v 2000000", "the address space of this process is limited to 1953 MiB")]
    [InlineData("ulimit -v 3000000", "the address space of this process is limited to 2929 MiB")]
    public async Task TooLittle_IsRefused(string limit, string sentence)
    {
        var outcome = await Outcome.OfShell($"{limit}; exec dotnet \"$PRODUCER\" --rate 0 --iterations 200 --warmup 0");

        outcome.ShouldBeRefused(3, sentence);
    }
}
