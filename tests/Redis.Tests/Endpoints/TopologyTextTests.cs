using System.Globalization;
using RedisLatency.Redis.Endpoints;

namespace RedisLatency.Redis.Tests.Endpoints;

public sealed class TopologyTextTests
{
    [Theory]
    [InlineData("redis+cluster://a", "redis+cluster://a:6379/0")]
    [InlineData("redis+cluster://a:1,b:2,[::1]:3,[::1]", "redis+cluster://a:1,b:2,[::1]:3,[::1]:6379/0")]
    [InlineData("REDISS+CLUSTER://alice:secret@a,b:2/", "rediss+cluster://***:***@a:6379,b:2/0")]
    [InlineData("valkey+cluster://a:1,a:1, b:2 ", "redis+cluster://a:1,b:2/0")]
    [InlineData("valkeys+cluster://a/7", "rediss+cluster://a:6379/7")]
    [InlineData("redis+cluster://a?db=2", "redis+cluster://a:6379/2")]
    [InlineData("redis+sentinel://a/mymaster", "redis+sentinel://a:26379/mymaster/0")]
    [InlineData("redis+sentinel://a:1,b,[::1]/my-master/3", "redis+sentinel://a:1,b:26379,[::1]:26379/my-master/3")]
    [InlineData("redis+sentinel://:secret@a/m", "redis+sentinel://:***@a:26379/m/0")]
    [InlineData("rediss+sentinel://alice@a/m?db=4", "rediss+sentinel://***@a:26379/m/4")]
    [InlineData("valkey+sentinel://a/m%20s", "redis+sentinel://a:26379/m%20s/0")]
    [InlineData("redis+sentinel://a/m?sentinel-password=secret", "redis+sentinel://a:26379/m/0?sentinel-password=***")]
    [InlineData(
        "redis+sentinel://x:y@a/m/1?sentinel-user=al%26ice&sentinel-password=secret",
        "redis+sentinel://***:***@a:26379/m/1?sentinel-user=***&sentinel-password=***")]
    public void Text_OfEveryForm_IsRead(string text, string expected) =>
        RedisEndpoint.Parse(text).ToString().ShouldBe(expected);

    [Fact]
    public void Logins_AreDecodedAndKeptApart()
    {
        var endpoint = RedisEndpoint.Parse(
            "redis+sentinel://alice:a%2Cb,c%40@h1,h2/m?sentinel-user=s&sentinel-password=p%3D%26=");

        endpoint.Topology.ShouldBe(EndpointTopology.Sentinel);
        endpoint.User.ShouldBe("alice");
        endpoint.Password!.Reveal().ShouldBe("a,b,c@");
        endpoint.SentinelUser.ShouldBe("s");
        endpoint.SentinelPassword!.Reveal().ShouldBe("p=&=");
        endpoint.Address.ShouldBe("h1:26379,h2:26379");
        endpoint.ShouldBe(RedisEndpoint.Parse(
            "redis+sentinel://alice:a%2Cb,c%40@h1,h2/m?sentinel-user=s&sentinel-password=p%3D%26="));
        endpoint.ShouldNotBe(endpoint with { OtherAddresses = AddressList.Empty });
    }

    [Fact]
    public void Servers_AreTheAddresses_EachWithTheLogin()
    {
        var endpoint = RedisEndpoint.Parse("rediss+cluster://alice:secret@h1:1,h2:2");

        endpoint.Servers.Select(server => server.ToString())
            .ShouldBe(["rediss://***:***@h1:1/0", "rediss://***:***@h2:2/0"]);
        endpoint.Servers[1].Password!.Reveal().ShouldBe("secret");
        RedisEndpoint.Parse("unix:/run/redis.sock").Servers.Single().SocketPath.ShouldBe("/run/redis.sock");
    }

    [Theory]
    [InlineData("redis+cluster://", "host is missing")]
    [InlineData("redis+cluster://a,,b", "host is missing")]
    [InlineData("redis+cluster://a,", "host is missing")]
    [InlineData("redis+cluster://a:x,b", "port is no number")]
    [InlineData("redis+cluster://a,b:70000", "port 70000")]
    [InlineData("redis+cluster://::1,b", "brackets")]
    [InlineData("redis+cluster://a/one", "database")]
    [InlineData("redis+cluster://a/1/2", "behind the database")]
    [InlineData("redis+cluster://a?sentinel-user=x", "only db=NUMBER is known")]
    [InlineData("redis+sentinel://a", "service is missing")]
    [InlineData("redis+sentinel://a/", "service is missing")]
    [InlineData("redis+sentinel:///m", "host is missing")]
    [InlineData("redis+sentinel://a/m/one", "database")]
    [InlineData("redis+sentinel://a/m/1/2", "behind the database")]
    [InlineData("redis+sentinel://a/m%2", "hexadecimal")]
    [InlineData("redis+sentinel://a/m?service=x", "sentinel-user=NAME")]
    [InlineData("redis+sentinel://a/m?sentinel-user=x", "needs a sentinel-password")]
    [InlineData("redis+sentinel://a/m?sentinel-user=", "sentinel-user=NAME")]
    [InlineData("redis+sentinels://a/m", "scheme is not known")]
    [InlineData("a:1,b:2", "redis+cluster://")]
    [InlineData("a:1,serviceName=m", "redis+sentinel://")]
    public void Text_ThatIsWrong_IsExplained(string text, string expected) =>
        Should.Throw<FormatException>(() => RedisEndpoint.Parse(text)).Message.ShouldContain(expected);

    [Fact]
    public void Errors_AreAllToldAtOnce()
    {
        var message = Should.Throw<FormatException>(
            () => RedisEndpoint.Parse("redis+sentinel://a:x,,b:0/m/one?what=1")).Message;

        foreach (var part in (string[])["port is no number", "host is missing", "port 0", "database", "sentinel-user"])
            message.ShouldContain(part);
    }

    /// <summary>However the text is mistaken, what may be a password is not repeated.</summary>
    [Theory]
    [InlineData("redis+cluster://:{0}@a:x,b")]
    [InlineData("redis+cluster://:{0}")]
    [InlineData("redis+cluster://a,alice:{0}")]
    [InlineData("redis+cluster://a,:{0}@")]
    [InlineData("redis+cluster://:a/{0}@a,b")]
    [InlineData("redis+cluster://:%zz{0}@a")]
    [InlineData("redis+cluster://a?password={0}")]
    [InlineData("redis+sentinel://:{0}@a")]
    [InlineData("redis+sentinel://:{0}@a/m/x")]
    [InlineData("redis+sentinel://:{0}/m")]
    [InlineData("redis+sentinel://a/m/{0}")]
    [InlineData("redis+sentinel://a/m/1/{0}")]
    [InlineData("redis+sentinel://a/m?password={0}")]
    [InlineData("redis+sentinel://a/m?{0}=x")]
    [InlineData("redis+sentinel://a/m?db={0}")]
    [InlineData("redis+sentinel://a/m?sentinel-password=%{0}")]
    [InlineData("redis+sentinel://a:0/m?sentinel-password={0}")]
    [InlineData("redis+sentinel://a/m?sentinel-password={0}&{0}")]
    [InlineData("redis+sentinel://a/m?sentinel-password=x@{0}")]
    public void Error_NeverShowsThePassword(string form)
    {
        var text = string.Format(CultureInfo.InvariantCulture, form, "zz4n4ry-s3cr3t");

        RedisEndpoint.TryParse(text, out _, out var error).ShouldBeFalse();

        error.ShouldNotContain("4n4ry", Case.Insensitive);
        error.ShouldNotContain("s3cr3t", Case.Insensitive);
    }
}
