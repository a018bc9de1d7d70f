using RedisLatency.Reports.Values;

namespace RedisLatency.Hosting.Options;

/// <summary>The options that name a run and its processes; every service includes them.</summary>
public static class IdentityCatalogue
{
    private const int LongestName = 64;

    /// <summary>The options of the group Identity, in the section Run.</summary>
    public static OptionCatalogue<IdentityOptions> Create() =>
        new OptionCatalogue<IdentityOptions>("Run")
            .Group("Identity")
            .Add("--run", o => o.Run, Syntax.OptionalText("NAME", NameProblem),
                "The name of the run, the same in all its processes", key: "Name", shownDefault: "default")
            .Add("--region", o => o.Region, Syntax.OptionalText("NAME", NameProblem),
                "Where this process runs, for instance eu-west")
            .Add("--instance", o => o.Instance, Syntax.OptionalText("NAME", NameProblem),
                "Which process of the run this is", shownDefault: "the host's name");

    /// <summary>
    /// What is wrong with a name, or null: it becomes a part of folders, channels and keys, so it may hold a separator
    /// of none of them.
    /// </summary>
    public static string? NameProblem(string name) =>
        name.Length > LongestName ? $"at most {LongestName} characters"
        : !char.IsAsciiLetterOrDigit(name[0]) ? "the first character must be a letter (a to z) or a digit"
        : name.All(c => char.IsAsciiLetterOrDigit(c) || c is '-' or '_' or '.') ? null
        : "letters (a to z), digits, '-', '_' and '.' are allowed";
}
