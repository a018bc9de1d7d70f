using RedisLatency.Hosting.Results;
using RedisLatency.Hosting.Running;
using RedisLatency.Reports.MetricSets;
using RedisLatency.Reports.Output;
using RedisLatency.Reports.Page;
using RedisLatency.Reports.Records;
using RedisLatency.Reports.SavedRuns;

namespace RedisLatency.Hosting.LivePages;

/// <summary>What a live page is made of once something is measured; read on any thread.</summary>
/// <param name="member">Who measures.</param>
/// <param name="saved">Its results folder.</param>
/// <param name="targets">The servers.</param>
/// <param name="soFar">Gives what the run knows of itself.</param>
internal sealed class PageSource(
    RunMember member, SavedResults saved, IReadOnlyList<string> targets, Func<RunSoFar> soFar)
{
    private static readonly string[] Doings =
    [
        "preparing", "connecting", "calibrating", "waiting for its peers", "warming up", "measuring",
        "waiting for what is under way", "writing its record",
    ];

    // Settled by now.
    private readonly IReadOnlyList<RecordedOption> _options = RunRecordParts.Options(member.Options());

    /// <summary>Where its results are; null where they cannot be written, or are not kept.</summary>
    public string? Folder => saved.Folder;

    /// <summary>The page of a run that is not over; of one that has no source yet only what it does.</summary>
    /// <exception cref="SavedRunException">The interval log cannot be read.</exception>
    public static PageRun PageOf(RunContext run, PageSource? source)
    {
        var (phase, began) = (run.Phases[^1], run.Phases[0].StartedAt);
        var lasted = TimeSpan.FromSeconds(Math.Floor(run.Time.GetElapsedTime(phase.StartTimestamp).TotalSeconds));
        var doing = $"{Doings[(int)phase.Phase]} for {Quantity.Elapsed(lasted)}, no verdict yet";
        return source is null
            ? new PageRun(SavedRun.UnderWay(null), new RunUnderWay { Doing = doing, Began = began })
            : new PageRun(SavedRun.UnderWay(source.Folder), source.Describe(doing, began));
    }

    private RunUnderWay Describe(string doing, DateTimeOffset began)
    {
        var known = soFar();
        var sets = known.Counted;
        var names = sets.SelectMany(set => set.Values).Select(value => value.Metric.Name).Distinct();
        return new RunUnderWay
        {
            Run = member.Run,
            Who = $"{member.Role} {member.Instance}" + (member.Region is null ? string.Empty : $" in {member.Region}"),
            Doing = doing,
            Began = began,
            Targets = targets,
            Options = _options,
            CountedOf =
            [
                .. sets.Select(set => sets.Count == 1 ? "so far"
                    : string.Join(", ", set.Labels.Select(label => label.Value))),
            ],
            Counts =
            [
                .. names.Select(name => (
                    name, (IReadOnlyList<string>)[.. sets.Select(set => TextOf(set, name))])),
            ],
            Events = known.Events(),
            Search = known.Search,
        };
    }

    private static string TextOf(MetricSet set, string name)
    {
        var found = set.Values.Where(one => one.Metric.Name == name).ToList();
        var known = found.Select(one => one.Read()).OfType<double>().Where(double.IsFinite).ToList();
        return known.Count == 0 ? string.Empty : found[0].Metric.Kind switch
        {
            Reports.DeclaredMetrics.MetricKind.Counter => Quantity.Count((long)known.Sum()),
            Reports.DeclaredMetrics.MetricKind.Duration => Quantity.Duration(known.Max()),
            _ => Quantity.Number(known.Sum()),
        };
    }
}
