using RedisLatency.Redis.Endpoints;

namespace RedisLatency.Redis.Tests.Endpoints;

public sealed class PasswordSourcesTests
{
    private static readonly RedisEndpoint Host = RedisEndpoint.Parse("host");

    [Fact]
    public void Endpoint_WithAPassword_KeepsIt()
    {
        var sources = new PasswordSources { FileContents = "file", EnvironmentValue = "env", Prompt = () => "asked" };
        var (endpoint, source) = sources.Resolve(RedisEndpoint.Parse("redis://:own@host"));

        endpoint.Password!.Reveal().ShouldBe("own");
        source.ShouldBe("endpoint");
    }

    [Fact]
    public void File_ComesBeforeTheEnvironment_AndThatBeforeThePrompt()
    {
        Resolve(new() { FileContents = "file", EnvironmentValue = "env", Prompt = () => "asked" })
            .ShouldBe(("file", "file"));
        Resolve(new() { EnvironmentValue = "env", Prompt = () => "asked" }).ShouldBe(("env", "REDISCLI_AUTH"));
        Resolve(new() { Prompt = () => "asked" }).ShouldBe(("asked", "prompt"));
        Resolve(new()).ShouldBe((null, "none"));
    }

    [Theory]
    [InlineData("secret\n", "secret")]
    [InlineData("secret\r\n", "secret")]
    [InlineData("secret\n\n", "secret\n")]
    [InlineData(" secret ", " secret ")]
    public void File_LosesOneLineEnd(string contents, string expected) =>
        Resolve(new() { FileContents = contents }).ShouldBe((expected, "file"));

    private static (string? Password, string Source) Resolve(PasswordSources sources)
    {
        var (endpoint, source) = sources.Resolve(Host);
        return (endpoint.Password?.Reveal(), source);
    }
}
