using RedisLatency.Hosting.Targets;

namespace RedisLatency.Hosting.Tests.Targets;

public sealed class EndpointSyntaxTests
{
    [Theory]
    [InlineData("redis://:s3cret@host", "redis://:***@host:6379/0")]
    [InlineData("http://localhost", "http://localhost")]
    [InlineData("localhost:99999", "localhost:99999")]
    [InlineData("redis://host/name", "redis://host/name")]
    [InlineData("http://us3r@localhost", "***")]
    [InlineData("us3r:s3cret", "***")]
    [InlineData("redis//:s3cret@host", "***")]
    [InlineData("http://localhost?password=s3cret", "***")]
    [InlineData("s3cr#t", "***")]
    public void Mask_ShowsAWrongEndpoint_OnlyWhereItHoldsNoLogin(string text, string shown) =>
        EndpointSyntax.Mask(text).ShouldBe(shown);
}
