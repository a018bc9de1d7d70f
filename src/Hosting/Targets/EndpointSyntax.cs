using System.Text.RegularExpressions;
using RedisLatency.Hosting.Options;
using RedisLatency.Redis.Endpoints;

namespace RedisLatency.Hosting.Targets;

/// <summary>Endpoints as options: what is wrong with one, and how it is shown without its password.</summary>
public static partial class EndpointSyntax
{
    /// <summary>As <see cref="Problem"/>, where the word for the server inside this tool is right too.</summary>
    public static string? ProblemUnlessInProcess(string text) => text == TargetOptions.InProcess ? null : Problem(text);

    /// <summary>Says what is wrong with an endpoint, never repeating a password; null where nothing is.</summary>
    public static string? Problem(string text) => RedisEndpoint.TryParse(text, out _, out var error) ? null : error;

    /// <summary>
    /// The endpoint with <c>***</c> in its password's place; of one that is wrong nothing, unless no part of it could
    /// be a login.
    /// </summary>
    public static string Mask(string text) =>
        text == TargetOptions.InProcess ? text
        : RedisEndpoint.TryParse(text, out var endpoint, out _) ? endpoint.ToString()
        : WithoutLogin().IsMatch(text) ? text
        : "***";

    [GeneratedRegex(@"^([a-z+]+://)?[A-Za-z0-9._-]*(:[0-9]*)?(/[A-Za-z0-9._-]*)?\z", RegexOptions.CultureInvariant)]
    private static partial Regex WithoutLogin();
}
