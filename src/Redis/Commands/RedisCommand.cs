namespace RedisLatency.Redis.Commands;

/// <summary>A command's line of the table.</summary>
public sealed class RedisCommand
{
    private readonly OptionRule _options = new("-");

    internal RedisCommand(string line)
    {
        if (line.Split(' ', StringSplitOptions.RemoveEmptyEntries)
            is not [var name, var group, var flags, var keys, var again, var time, var options])
        {
            throw new FormatException($"not a command: {line}");
        }

        (Name, Group, Keys, Time, _options) = (name, group, KeyRule.Parse(keys), TimeRule.Parse(time), new(options));
        if (flags != "-")
        {
            Flags = Enum.Parse<CommandFlags>(
                flags.Replace("-", string.Empty, StringComparison.Ordinal), ignoreCase: true);
        }

        Effect = again == "-" ? CommandEffect.Changes : Enum.Parse<CommandEffect>(again, ignoreCase: true);
    }

    /// <summary>A command that a server says of and the table has not: repeating it is not safe.</summary>
    /// <param name="name">In capitals.</param>
    /// <param name="group">Its group.</param>
    /// <param name="keys">Where its keys are.</param>
    public RedisCommand(string name, string group, KeyRule keys) => (Name, Group, Keys) = (name, group, keys);

    /// <summary>In capitals; that of a subcommand as a server's COMMAND has it: XGROUP|CREATE.</summary>
    public string Name { get; }

    /// <summary>As COMMAND DOCS and RedisShake name it, in capitals: SORTED_SET.</summary>
    public string Group { get; }

    /// <summary>What is true of it whatever its arguments are.</summary>
    public CommandFlags Flags { get; }

    /// <summary>Where its keys are.</summary>
    public KeyRule Keys { get; }

    /// <summary>What it does without options.</summary>
    public CommandEffect Effect { get; }

    /// <summary>Where it says when something expires.</summary>
    public TimeRule Time { get; }

    /// <summary>Whether it is a part of another: CONFIG|GET.</summary>
    public bool IsSubcommand => Name.Contains('|', StringComparison.Ordinal);

    /// <summary>Whether all of these are true of it.</summary>
    public bool Has(CommandFlags flags) => (Flags & flags) == flags;

    /// <summary>What it does with these options.</summary>
    public CommandEffect EffectOf<TWords>(TWords words)
        where TWords : ICommandWords, allows ref struct => _options.Of(Effect, words);
}
