using RedisLatency.Hosting.Options;
using RedisLatency.Reports.Values;

namespace RedisLatency.Workloads.FrontEnds;

/// <summary>The options of one tool, each declared once: reading, help and the table in docs come from it.</summary>
internal sealed class ForeignCatalogue<TOptions>
{
    private static readonly Lazy<string[]> Own = new(() =>
        [.. WorkloadCatalogue.ForRun().Options.Select(option => option.Description.Name)]);

    private readonly List<ForeignOption<TOptions>> _options = [];

    public IReadOnlyList<ForeignOption<TOptions>> Options => _options;

    public ForeignCatalogue<TOptions> Flag(string names, Action<TOptions> set, string remark) =>
        Add(names, null, (options, _) => Taken(() => set(options)), remark);

    public ForeignCatalogue<TOptions> Value<T>(
        string names, string placeholder, ValueSyntax<T> syntax, Action<TOptions, T> set, string remark) =>
        Add(
            names,
            placeholder,
            (options, text) => syntax.Read(text) is var reading && reading.Problem is { } problem
                ? problem
                : Taken(() => set(options, reading.Value!)),
            remark);

    public ForeignCatalogue<TOptions> Text(
        string names, string placeholder, Action<TOptions, string> set, string remark) =>
        Add(names, placeholder, (options, text) => Taken(() => set(options, text)), remark);

    /// <summary>One that cannot be honoured, and why.</summary>
    public ForeignCatalogue<TOptions> Refused(string names, string? placeholder, string why) =>
        Add(names, placeholder, null, why);

    /// <summary>Several that cannot be honoured, each with what does the same among the options of run.</summary>
    public ForeignCatalogue<TOptions> Refused(params ReadOnlySpan<(string Names, string? Placeholder)> several)
    {
        foreach (var (names, placeholder) in several)
        {
            var hint = ForeignOptions.HintFor(names.Split(' ')[0], null, Own.Value)
                ?? throw new ArgumentException($"nobody knows what does the same as {names}", nameof(several));
            Add(names, placeholder, null, $"with run, {hint}");
        }

        return this;
    }

    private ForeignCatalogue<TOptions> Add(
        string names, string? placeholder, Func<TOptions, string, string?>? take, string remark)
    {
        _options.Add(new ForeignOption<TOptions>(names.Split(' '), placeholder, take, remark));
        return this;
    }

    private static string? Taken(Action set)
    {
        set();
        return null;
    }
}
