using System.Text.RegularExpressions;
using RedisLatency.Reports.Verdicts;

namespace RedisLatency.Hosting.Options;

/// <summary>What help, command line and configuration need to know of an option.</summary>
public sealed partial record OptionDescription
{
    public const string EnvironmentPrefix = "REDISLATENCY__";

    /// <summary>The long name with its dashes; for an argument the name shown in its place.</summary>
    public required string Name { get; init; }

    /// <summary>Its other names.</summary>
    public IReadOnlyList<string> Aliases { get; init; } = [];

    public IEnumerable<string> Names => Aliases.Prepend(Name);

    /// <summary>All its names and what stands for the value: <c>--clients, -c NUMBER</c>.</summary>
    public string Spelling => string.Join(", ", Names) + (IsFlag ? string.Empty : $" {Placeholder}");

    public required string Group { get; init; }
    public required string Help { get; init; }
    public required string Placeholder { get; init; }

    /// <summary>Whether an empty one is wrong, never the default: what names a server, and what must hold.</summary>
    public bool RefusesEmpty => Placeholder is "ENDPOINT" or ThresholdSyntax.Placeholder;

    public string? Limits { get; init; }

    /// <summary>The default as the help shows it; null where there is none.</summary>
    public string? Default { get; init; }

    public IReadOnlyList<string> Choices { get; init; } = [];

    /// <summary>Where it stands in configuration, for instance <c>Producer:Rate</c>; null for arguments.</summary>
    public string? ConfigurationKey { get; init; }

    public string? EnvironmentName =>
        ConfigurationKey is { } key ? EnvironmentPrefix + key.Replace(":", "__", StringComparison.Ordinal) : null;

    public bool IsFlag { get; init; }
    public bool IsRepeatable { get; init; }

    /// <summary>Whether it is recognised by its place rather than by a name.</summary>
    public bool IsArgument { get; init; }

    public bool IsRequired { get; init; }

    /// <summary>
    /// What stands in the usage for a server that may be given as a word, without the option's name; null where it may
    /// not. The words are those of the options that have one, in their order, and a repeatable one takes all the rest.
    /// </summary>
    public string? Word { get; init; }

    /// <summary>Whether another tool has it and it cannot be honoured here; the help says why.</summary>
    public bool IsRefused { get; init; }

    /// <summary>Hides what may not be shown in a value; null where nothing is secret.</summary>
    public Func<string, string>? Mask { get; init; }

    // Each says something by itself.
    private const string ClauseEnd = "; ";

    /// <summary>
    /// The same for a command with these options: clauses of help and default, which semicolons part, are left out
    /// where they name another.
    /// </summary>
    internal OptionDescription Among(IReadOnlySet<string> names)
    {
        var shown = Default is null ? string.Empty : Within(Default);
        return this with { Help = Within(Help), Default = shown.Length > 0 ? shown : null };

        string Within(string text) => string.Join(ClauseEnd, text.Split(ClauseEnd)
            .Where(clause => OptionName().Matches(clause).All(name => names.Contains(name.Value))));
    }

    [GeneratedRegex("--[a-z][a-z0-9-]*")]
    private static partial Regex OptionName();

    // Hidden too, but most are no password.
    private const string UserAlone = $"//{OptionMask.Hidden}@";

    /// <summary>Whether a value has a secret in it, and not only where to find one: <c>@FILE</c>, <c>-</c>.</summary>
    internal bool ShowsSecret(string text) => text is not ("" or "-" or ['@', ..])
        && !text.Contains(OptionMask.Hidden, StringComparison.Ordinal)
        && Masked(text).Replace(UserAlone, string.Empty, StringComparison.Ordinal)
            .Contains(OptionMask.Hidden, StringComparison.Ordinal);

    internal string Masked(string text)
    {
        if (Mask is null || text.Length == 0)
            return text.Length == 0 ? "''" : text;

        try
        {
            return Mask(text);
        }
#pragma warning disable CA1031 // A value that the mask cannot read must still not be shown.
        catch (Exception)
#pragma warning restore CA1031
        {
            return OptionMask.Hidden;
        }
    }
}

/// <summary>What stands in the place of secrets.</summary>
public static class OptionMask
{
    public const string Hidden = "***";

    public static string Whole(string text) => Hidden;
}
