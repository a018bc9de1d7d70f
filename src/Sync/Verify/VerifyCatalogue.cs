using RedisLatency.Hosting.Options;
using RedisLatency.Reports.Figures;
using RedisLatency.Reports.Values;

namespace RedisLatency.Sync.Verify;

internal static class VerifyCatalogue
{
    private const string Section = "Verify";

    /// <summary>What each server has by itself, so that equal data need not have it equal.</summary>
    private static readonly IReadOnlyList<string> NotCompared =
    [
        "idle times and frequencies", "idle and delivery times of pending entries",
        "entries-read, entries-added and max-deleted-entry-id of streams", "consumers without pending entries",
        "encodings", "functions and scripts",
    ];

    public static IReadOnlyList<string> NotComparedBy(bool keysOnly) =>
        [.. keysOnly ? [VerifyResult.Values, "times of fields"] : Array.Empty<string>(), .. NotCompared];

    public static OptionCatalogue<SyncOptions> Create() => SyncCatalogue.CreateVerify(CreateComparing());

    public static OptionCatalogue<VerifyOptions> CreateComparing() => new OptionCatalogue<VerifyOptions>(Section)
        .Group("Comparing")
        .Add("--keys-only", o => o.KeysOnly, Syntax.Flag,
            "Compare types, lengths and the times to live of keys, and no values", key: "KeysOnly")
        .Add("--sample", o => o.Sample, Syntax.Number(1e-6, 1),
            "Compare this share of the keys, the same ones each time")
        .Add("--rounds", o => o.Rounds, Syntax.SmallCount(1, 100, "rounds"),
            "A difference counts once it has been the same for so many rounds; later rounds ask for it only")
        .Add("--pause", o => o.Pause, Syntax.Duration(most: TimeSpan.FromHours(1)),
            "How long to wait before each further round, so that the destination can follow")
        .Add("--time-tolerance", o => o.TimeTolerance, Syntax.Duration(most: TimeSpan.FromDays(1)),
            "How far apart two times to live may end")
        .Include(CreateDifferences("Comparing"), o => o);

    public static OptionCatalogue<VerifyOptions> CreateDifferences(string group) =>
        new OptionCatalogue<VerifyOptions>(Section)
        .Group(group)
        .Add("--differences", o => o.Differences, Syntax.OptionalText("FILE"),
            "Write each difference to a new file, a JSON object a line", shownDefault: "none");
}
