namespace RedisLatency.Redis.Commands;

/// <summary>Which word of a command is its first key, and so which node of a cluster it is for.</summary>
public static class CommandKeys
{
    /// <summary>What <see cref="FirstOf"/> says of a command without a key.</summary>
    public const int None = -1;

    /// <summary>
    /// The place of a command's first key among its words; <see cref="None"/> where it has none. Of a command that the
    /// table does not have it is the first word after the name.
    /// </summary>
    /// <param name="words">The command, its name first. Of words that are not text any text will do.</param>
    public static int FirstOf(IReadOnlyList<string> words)
    {
        if (words.Count < 2)
            return None;
        var place = RedisCommands.Find(words) is { } command ? command.Keys.FirstOf(new TextWords(words)) : 1;
        return place > 0 && place < words.Count ? place : None;
    }
}
