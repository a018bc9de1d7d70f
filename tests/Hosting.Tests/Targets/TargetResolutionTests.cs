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
    [InlineData("redis://a", true, "redis://control")]
    [InlineData("redis://a", false, "rediss://control")]
    public void Tls_IsAskedForOnlyWhereSomethingSpeaksIt(string endpoints, bool isRefused, string? control = null)
    {
        var options = new TargetOptions { Endpoints = endpoints.Split(' '), TlsInsecure = true };

        void Resolve() => TargetResolution.Resolve(
            options, new Dictionary<string, string>(), _ => null, new FleetOptions { Control = control });
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
        File.Delete(first);
        File.Delete(second);

        IEnumerable<string> Logins() => TargetResolution
            .Resolve(options, environment, _ => null)
            .Select(target => $"{target.Endpoint.User} {target.Endpoint.Password?.Reveal()}");
    }

    [Fact]
    public void Login_IsNotForAnotherServiceOfTheSameSentinels()
    {
        var options = new TargetOptions
        {
            Endpoints = ["redis+sentinel://s/main", "redis+sentinel://s/other"],
            User = "alice",
        };

        TargetResolution.Resolve(options, new Dictionary<string, string>(), _ => null)
            .Select(target => target.Endpoint.User).ShouldBe(["alice", null]);
    }

    [Fact]
    public void Certificates_OfTheOthers_AreAllOfTheirOwn()
    {
        // Any files that are there: they are not read before a connection is opened.
        var files = Directory.GetFiles(AppContext.BaseDirectory).Take(3).ToArray();
        var options = new TargetOptions
        {
            Endpoints = ["rediss://a", "rediss://b"],
            TlsAuthorities = files[0],
            TlsCertificate = files[1],
            TlsKey = files[2],
        };

        Files().ShouldBe([(files[0], files[1]), (files[0], files[1])]);
        options.OtherTlsAuthorities = files[2];
        Files().ShouldBe([(files[0], files[1]), (files[2], null)]);

        IEnumerable<(string?, string?)> Files() => TargetResolution
            .Resolve(options, new Dictionary<string, string>(), _ => null)
            .Select(target => (target.Endpoint.Tls.CaFile, target.Endpoint.Tls.CertificateFile));
    }

    [Theory]
    [InlineData("redis://a rediss://b", null)]
    [InlineData("rediss://a redis://b", "--other-tls-ca: redis://b")]
    public void Authorities_OfTheOthers_AreForThose(string endpoints, string? problem)
    {
        var file = typeof(TargetResolutionTests).Assembly.Location;
        var options = new TargetOptions { Endpoints = endpoints.Split(' '), OtherTlsAuthorities = file };

        void Resolve() => TargetResolution.Resolve(options, new Dictionary<string, string>(), _ => null);
        if (problem is null)
            Should.NotThrow(Resolve);
        else
            Should.Throw<ConfigurationException>(Resolve).Message.ShouldStartWith(problem);
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
