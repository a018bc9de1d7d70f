using RedisLatency.Hosting.Options;
using RedisLatency.Hosting.Running;
using RedisLatency.Hosting.Targets;

namespace RedisLatency.Hosting.Tests.Targets;

public sealed class TargetResolutionTests
{
    [Theory]
    [InlineData("redis://host", true)]
    [InlineData("host:6379", true)]
    [InlineData("redis://a redis://b", true)]
    [InlineData("rediss://host", false)]
    [InlineData("redis://a rediss://b", false)]
    public void Tls_IsAskedForOnlyWhereSomethingSpeaksIt(string endpoints, bool isRefused)
    {
        var options = new TargetOptions { Endpoints = endpoints.Split(' '), TlsInsecure = true };

        void Resolve() => TargetResolution.Resolve(options, new Dictionary<string, string>(), _ => null);
        if (isRefused)
            Should.Throw<ConfigurationException>(Resolve).Message.ShouldContain("write rediss://");
        else
            Should.NotThrow(Resolve);
    }

    [Fact]
    public void Login_IsForTheFirstEndpointAlone()
    {
        var (first, second) = (Path.GetTempFileName(), Path.GetTempFileName());
        File.WriteAllText(first, "of-the-first\n");
        File.WriteAllText(second, "of-the-second\n");
        var environment = new Dictionary<string, string> { ["REDISCLI_AUTH"] = "of-the-variable" };
        var options = new TargetOptions { Endpoints = ["redis://a", "redis://b", "redis://a/1"], User = "alice" };

        Logins().ShouldBe(["alice of-the-variable", " ", "alice of-the-variable"]);
        options.PasswordFile = first;
        Logins().ShouldBe(["alice of-the-first", " ", "alice of-the-first"]);
        (options.OtherUser, options.OtherPasswordFile) = ("bob", second);
        Logins().ShouldBe(["alice of-the-first", "bob of-the-second", "alice of-the-first"]);
        Logins(isOther: true).ShouldAllBe(login => login == "bob of-the-second");
        File.Delete(first);
        File.Delete(second);

        IEnumerable<string> Logins(bool isOther = false) => TargetResolution
            .Resolve(options, environment, _ => null, isOther)
            .Select(target => $"{target.Endpoint.User} {target.Endpoint.Password?.Reveal()}");
    }

    [Fact]
    public void Authorities_ForWhatSpeaksNoTls_AreRefusedByTheirName()
    {
        // Any file that is there: it is not read for what is refused.
        var file = typeof(TargetResolutionTests).Assembly.Location;
        var options = new TargetOptions { Endpoints = ["redis://host"], TlsAuthorities = file };

        Should.Throw<ConfigurationException>(
                () => TargetResolution.Resolve(options, new Dictionary<string, string>(), _ => null))
            .Message.ShouldStartWith("--tls-ca: redis://host");
    }
}
