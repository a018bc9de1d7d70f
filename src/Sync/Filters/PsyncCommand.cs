namespace RedisLatency.Sync.Filters;

/// <summary>What PSYNC is called at a server, as RedisShake's aws_psync has it.</summary>
internal static class PsyncCommand
{
    public const string Form = "HOST:PORT@NAME";

    public static string? Problem(string text) => text.Split('@') is [{ Length: > 0 }, { Length: > 0 }]
        ? null
        : $"{Form} is needed, for instance 10.0.0.1:6379@nmfu2sl5osync";

    public static KeyValuePair<string, string> Parse(string text)
    {
        var at = text.IndexOf('@', StringComparison.Ordinal);
        return KeyValuePair.Create(text[..at], text[(at + 1)..]);
    }
}
