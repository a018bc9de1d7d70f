namespace RedisLatency.Redis.Endpoints;

/// <summary>
/// Where a password may come from. The first source that has one wins: the endpoint's own text, the file, the
/// environment, the prompt.
/// </summary>
public sealed record PasswordSources
{
    /// <summary>The environment variable that redis-cli reads too.</summary>
    public const string EnvironmentVariable = "REDISCLI_AUTH";

    /// <summary>
    /// The contents of the password file, or null where none is given; one line end at its end is cut off.
    /// </summary>
    public string? FileContents { get; init; }

    /// <summary>The value of <see cref="EnvironmentVariable"/>, or null.</summary>
    public string? EnvironmentValue { get; init; }

    /// <summary>Asks a person, or null where nobody is to be asked.</summary>
    public Func<string?>? Prompt { get; init; }

    /// <summary>Gives the endpoint its password.</summary>
    /// <returns>The endpoint, and where its password came from: for the run's record.</returns>
    public (RedisEndpoint Endpoint, string Source) Resolve(RedisEndpoint endpoint)
    {
        if (endpoint.Password is not null)
            return (endpoint, "endpoint");
        if (FileContents is not null)
            return With(endpoint, WithoutLineEnd(FileContents), "file");
        if (!string.IsNullOrEmpty(EnvironmentValue))
            return With(endpoint, EnvironmentValue, EnvironmentVariable);
        if (Prompt?.Invoke() is { Length: > 0 } answer)
            return With(endpoint, answer, "prompt");
        return (endpoint, "none");
    }

    private static (RedisEndpoint Endpoint, string Source) With(
        RedisEndpoint endpoint, string password, string source) =>
        password.Length == 0 ? (endpoint, "none") : (endpoint with { Password = new RedisPassword(password) }, source);

    private static string WithoutLineEnd(string text)
    {
        if (text.EndsWith("\r\n", StringComparison.Ordinal))
            return text[..^2];
        return text.EndsWith('\n') ? text[..^1] : text;
    }
}
