using RedisLatency.Hosting.Options;
using RedisLatency.Reports.Values;

namespace RedisLatency.Workloads.FrontEnds;

/// <summary>Options of other tools that only <c>run</c> has, under a name of its own.</summary>
internal static class RefusedOptions
{
    private static readonly Lazy<string[]> OfRun = new(() =>
        [.. WorkloadCatalogue.ForRun().Options.Select(option => option.Description.Name)]);

    /// <summary>Refuses each of them with what does the same in a run.</summary>
    public static OptionCatalogue<TOptions> RefuseForRun<TOptions>(
        this OptionCatalogue<TOptions> catalogue, params ReadOnlySpan<string> names)
        where TOptions : class, new()
    {
        foreach (var name in names)
        {
            var hint = ForeignOptions.HintFor(name.Split(' ')[0], null, OfRun.Value)
                ?? throw new ArgumentException($"nobody knows what does the same as {name}", nameof(names));
            catalogue.Refuse(name, $"with run, {hint}");
        }

        return catalogue;
    }

    /// <summary>Adds what every tool has.</summary>
    public static OptionCatalogue<TOptions> AddHelp<TOptions>(
        this OptionCatalogue<TOptions> catalogue, string help, string version)
        where TOptions : class, new() =>
        catalogue.Add(help, (_, _) => { }, Syntax.Flag, "This")
            .Add(version, (_, _) => { }, Syntax.Flag, "The version");
}
