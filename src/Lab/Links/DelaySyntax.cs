using RedisLatency.Server.Links;

namespace RedisLatency.Lab.Links;

/// <summary>The two delays of a link in one word: <c>14ms</c>, <c>14ms/20ms</c>.</summary>
internal static class DelaySyntax
{
    public static string? Problem(string text)
    {
        var parts = text.Split('/');
        return parts.Length > 2
            ? "one delay or two are needed, for instance 14ms or 14ms/20ms"
            : parts.Select(part => LinkProfileReader.Delay.Read(part).Problem)
                .FirstOrDefault(wrong => wrong is not null);
    }

    /// <summary>The profile of a text that has no <see cref="Problem"/>.</summary>
    public static LinkProfile Read(string text)
    {
        var parts = text.Split('/').Select(part => LinkProfileReader.Delay.Read(part).Value).ToArray();
        return LinkProfile.Of(parts[0], parts[^1]);
    }
}
