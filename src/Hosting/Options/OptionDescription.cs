using RedisLatency.Reports.Verdicts;

namespace RedisLatency.Hosting.Options;

/// <summary>What help, command line and configuration need to know of an option.</summary>
public sealed record OptionDescription
{
    /// <summary>What every environment name begins with.</summary>
    public const string EnvironmentPrefix = "REDISLATENCY__";

    /// <summary>The long name with its dashes; for an argument the name shown in its place.</summary>
    public required string Name { get; init; }

    /// <summary>A second name, for instance <c>-r</c>.</summary>
    public string? Alias { get; init; }

    /// <summary>The heading of the help under which it stands.</summary>
    public required string Group { get; init; }

    /// <summary>What it does, in one line without a full stop.</summary>
    public required string Help { get; init; }

    /// <summary>What stands in the value's place in the help.</summary>
    public required string Placeholder { get; init; }

    /// <summary>
    /// Whether it is wrong where it is empty, and never the default: what names a server, and what must hold.
    /// </summary>
    public bool RefusesEmpty => Placeholder is "ENDPOINT" or ThresholdSyntax.Placeholder;

    /// <summary>Range and unit in words.</summary>
    public string? Limits { get; init; }

    /// <summary>The default as the help shows it; null where there is none.</summary>
    public string? Default { get; init; }

    /// <summary>The words that may be given, where there is a fixed set of them.</summary>
    public IReadOnlyList<string> Choices { get; init; } = [];

    /// <summary>Where it stands in configuration, for instance <c>Producer:Rate</c>; null for arguments.</summary>
    public string? ConfigurationKey { get; init; }

    /// <summary>The environment variable that sets it; null for arguments.</summary>
    public string? EnvironmentName =>
        ConfigurationKey is { } key ? EnvironmentPrefix + key.Replace(":", "__", StringComparison.Ordinal) : null;

    /// <summary>Whether the name alone turns it on.</summary>
    public bool IsFlag { get; init; }

    /// <summary>Whether it may be given several times.</summary>
    public bool IsRepeatable { get; init; }

    /// <summary>Whether it is recognised by its place rather than by a name.</summary>
    public bool IsArgument { get; init; }

    /// <summary>Whether there must be a value.</summary>
    public bool IsRequired { get; init; }

    /// <summary>Hides what may not be shown in a value; null where nothing is secret.</summary>
    public Func<string, string>? Mask { get; init; }

    /// <summary>Whether a value has a secret in it, and not only where to find one: <c>@FILE</c>, <c>-</c>.</summary>
    internal bool ShowsSecret(string text) => text is not ("" or "-" or ['@', ..])
        && !text.Contains(OptionMask.Hidden, StringComparison.Ordinal)
        && Masked(text).Contains(OptionMask.Hidden, StringComparison.Ordinal);

    /// <summary>A value as it may be shown.</summary>
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
    /// <summary>What is shown instead of a secret.</summary>
    public const string Hidden = "***";

    /// <summary>Hides the whole value.</summary>
    public static string Whole(string text) => Hidden;
}
