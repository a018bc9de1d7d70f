using RedisLatency.Metrics.Results;

namespace RedisLatency.Metrics.Tests.Results;

public class ServerFactsTests
{
    [Theory]
    [InlineData("redis_version=7.0.15;redis_mode=standalone;os=Linux", "redis", "7.0.15", "standalone")]
    [InlineData("server_name=valkey;valkey_version=8.1.1;redis_version=7.2.4;server_mode=cluster", "valkey", "8.1.1",
        "cluster")]
    [InlineData("redis_version=7.0.0;server_name=tair", "tair", "7.0.0", null)]
    [InlineData("", "redis", "unknown", null)]
    public void FromInfo_OfAServer_TellsWhichItIs(string info, string name, string version, string? mode)
    {
        var fields = info.Split(';', StringSplitOptions.RemoveEmptyEntries)
            .Select(field => field.Split('='))
            .ToDictionary(field => field[0], field => field[1]);

        var facts = ServerFacts.FromInfo(fields);

        facts.Name.ShouldBe(name);
        facts.Version.ShouldBe(version);
        facts.Mode.ShouldBe(mode);
        facts.Facts.ShouldBe(fields);
    }
}
