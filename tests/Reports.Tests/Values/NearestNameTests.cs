using RedisLatency.Reports.Values;

namespace RedisLatency.Reports.Tests.Values;

public sealed class NearestNameTests
{
    [Theory]
    [InlineData("--rte", "--rate")]
    [InlineData("--raet", "--rate")]
    [InlineData("--DURATION", "--duration")]
    [InlineData("--colour", null)]
    public void Of_ATypingError_IsTheNameMeant(string mistyped, string? meant)
    {
        NearestName.Of(mistyped, ["--rate", "--duration", "--redis"]).ShouldBe(meant);
    }
}
