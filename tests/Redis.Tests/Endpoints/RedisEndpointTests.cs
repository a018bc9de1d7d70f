using RedisLatency.Redis.Endpoints;

namespace RedisLatency.Redis.Tests.Endpoints;

public sealed class RedisEndpointTests
{
    [Theory]
    [InlineData("redis://localhost", "redis://localhost:6379/0")]
    [InlineData("redis://localhost:7000/2", "redis://localhost:7000/2")]
    [InlineData("REDIS://localhost/", "redis://localhost:6379/0")]
    [InlineData("valkey://localhost", "redis://localhost:6379/0")]
    [InlineData("rediss://cache.example:6380", "rediss://cache.example:6380/0")]
    [InlineData("redis://[::1]:7000/1", "redis://[::1]:7000/1")]
    [InlineData("redis://[::1]", "redis://[::1]:6379/0")]
    [InlineData("redis://10.0.0.1?db=3", "redis://10.0.0.1:6379/3")]
    [InlineData("localhost", "redis://localhost:6379/0")]
    [InlineData("localhost:7000", "redis://localhost:7000/0")]
    [InlineData(" [2001:db8::1]:7000 ", "redis://[2001:db8::1]:7000/0")]
    [InlineData("redis://alice@host", "redis://***@host:6379/0")]
    [InlineData("redis://alice:secret@host", "redis://***:***@host:6379/0")]
    [InlineData("redis://:secret@host", "redis://:***@host:6379/0")]
    [InlineData("unix:/run/redis.sock", "unix:/run/redis.sock")]
    [InlineData("unix:/run/redis.sock?db=1", "unix:/run/redis.sock?db=1")]
    [InlineData("unix:///run/redis.sock", "unix:/run/redis.sock")]
    [InlineData("unix://alice:secret@/run/redis.sock?db=1", "unix://***:***@/run/redis.sock?db=1")]
    [InlineData("cache.example:6380,password=secret,ssl=True,abortConnect=False", "rediss://:***@cache.example:6380/0")]
    [InlineData("host,user=alice,password=secret,defaultDatabase=4", "redis://***:***@host:6379/4")]
    [InlineData("[fe80::1%1]:7000", "redis://[fe80::1%1]:7000/0")]
    [InlineData("[::1]:7000,ssl=false,", "redis://[::1]:7000/0")]
    public void Text_OfEveryForm_IsRead(string text, string expected) =>
        RedisEndpoint.Parse(text).ToString().ShouldBe(expected);

    [Theory]
    [InlineData("redis://alice:s%40cr%2Ft@host", "alice", "s@cr/t")]
    [InlineData("redis://:p@ss@host", null, "p@ss")]
    [InlineData("redis://a%3Ab:c:d@host", "a:b", "c:d")]
    [InlineData("unix://:s%2Fcret@/run/redis.sock", null, "s/cret")]
    [InlineData("host,password=ab=cd==", null, "ab=cd==")]
    [InlineData("host,password= secret ", null, "secret")]
    [InlineData("redis://alice:@host", "alice", null)]
    public void Login_IsDecoded(string text, string? user, string? password)
    {
        var endpoint = RedisEndpoint.Parse(text);

        endpoint.User.ShouldBe(user);
        endpoint.Password?.Reveal().ShouldBe(password);
        (endpoint.Password is null).ShouldBe(password is null);
    }

    [Fact]
    public void ConnectionString_OfAPortal_SetsLimitsAndNames()
    {
        var endpoint = RedisEndpoint.Parse(
            "c.example:6380,ssl=True,sslHost=real.example,connectTimeout=2500,syncTimeout=750,name=me,keepAlive=60,"
            + "connectRetry=3,sslprotocols=tls12");

        endpoint.UseTls.ShouldBeTrue();
        endpoint.Tls.ServerName.ShouldBe("real.example");
        endpoint.ConnectTimeout.ShouldBe(TimeSpan.FromSeconds(2.5));
        endpoint.CommandTimeout.ShouldBe(TimeSpan.FromSeconds(0.75));
        endpoint.ClientName.ShouldBe("me");
    }

    [Theory]
    [InlineData("", "empty")]
    [InlineData("redis://", "host is missing")]
    [InlineData("redis://:7000", "host is missing")]
    [InlineData("host:0", "port 0")]
    [InlineData("host:65536", "port 65536")]
    [InlineData("host:", "port is no number")]
    [InlineData("host:redis", "port is no number")]
    [InlineData("host:7000/3", "with a scheme: redis://host:7000/3")]
    [InlineData("redis://host/one", "database")]
    [InlineData("redis://host/-1", "database")]
    [InlineData("redis://host?database=1", "db=NUMBER")]
    [InlineData("::1", "brackets")]
    [InlineData("[::1", "brackets")]
    [InlineData("[localhost]:1", "brackets")]
    [InlineData("/run/redis.sock", "write unix:/path/to/socket")]
    [InlineData("./redis.sock", "write unix:/path/to/socket")]
    [InlineData("http://host", "scheme")]
    [InlineData("unix:", "path is missing")]
    [InlineData("unix://run/redis.sock", "absolute")]
    [InlineData("redis://a%2@host", "hexadecimal")]
    [InlineData("ho st", "host name")]
    [InlineData("6379", "a number alone is no host: write host:port")]
    [InlineData("redis://6379/1", "a number alone")]
    [InlineData("password=x", "names no host")]
    [InlineData("a:1,b:2", "only one host")]
    [InlineData("host,abortConect=false", "'abortConnect'")]
    [InlineData("host,paswords=x", "'password'")]
    [InlineData("host,ssl=maybe", "true or false")]
    [InlineData("host,connectTimeout=fast", "milliseconds")]
    [InlineData("host,serviceName=mymaster", "not supported")]
    [InlineData("host,keepAlive=often", "keepAlive: StackExchange.Redis does not take its value")]
    [InlineData("host,protocol=4", "protocol: StackExchange.Redis")]
    public void Text_ThatIsWrong_IsExplained(string text, string expected) =>
        Should.Throw<FormatException>(() => RedisEndpoint.Parse(text)).Message.ShouldContain(expected);

    [Fact]
    public void Errors_AreAllToldAtOnce()
    {
        var message =
            Should.Throw<FormatException>(() => RedisEndpoint.Parse("host:x,ssl=maybe,defaultDatabase=one")).Message;

        message.ShouldContain("port");
        message.ShouldContain("ssl");
        message.ShouldContain("database");
    }

    /// <summary>However the text is mistaken, what may be a password is not repeated.</summary>
    [Theory]
    [InlineData("redis://:{0}@host:x")]
    [InlineData("redis://:{0}@")]
    [InlineData("redis://:{0}")]
    [InlineData("redis://alice:{0}")]
    [InlineData("redis://alice:{0}:6379")]
    [InlineData("redis://:{0}/x@host")]
    [InlineData("redis://:a/{0}@host")]
    [InlineData("redis://:a?{0}@host")]
    [InlineData("redis://:%zz{0}@host")]
    [InlineData("redis://host/{0}")]
    [InlineData("redis://host?password={0}")]
    [InlineData("alice:{0}@host:6379")]
    [InlineData("redi://alice:{0}@host")]
    [InlineData("unix://:{0}@host")]
    [InlineData("unix://:%zz{0}@/run/x")]
    [InlineData("host:x,password={0}")]
    [InlineData("host,password=a,{0}")]
    [InlineData("host,password=a,{0}=b")]
    [InlineData("host,password={0},paswor=b")]
    [InlineData("host,pasword={0}")]
    [InlineData("host,ssl=x,password={0},serviceName=a")]
    [InlineData("redis:/:{0}@host/0?x=y")]
    [InlineData("host,ssl=True;password={0}")]
    [InlineData("host,connectTimeout=5;password={0}")]
    [InlineData("[{0}]:1")]
    public void Error_NeverShowsThePassword(string form)
    {
        const string Canary = "c4n4ry-s3cr3t";
        var text = string.Format(System.Globalization.CultureInfo.InvariantCulture, form, Canary);

        RedisEndpoint.TryParse(text, out _, out var error).ShouldBeFalse();

        error.ShouldNotContain("c4n4ry", Case.Insensitive);
        error.ShouldNotContain("s3cr3t", Case.Insensitive);
    }

    [Fact]
    public void Password_IsNotInAnyText()
    {
        var endpoint = RedisEndpoint.Parse("redis://alice:c4n4ry@host");

        endpoint.ToString().ShouldNotContain("c4n4ry");
        $"{endpoint.Password}".ShouldBe("***");
        endpoint.ShouldBe(RedisEndpoint.Parse("redis://alice:c4n4ry@host"));
    }
}
