using RedisLatency.Redis.Rdb;

namespace RedisLatency.Sync.Servers;

/// <summary>
/// What servers have from some version on, and what becomes of it at a target that is older. Said before the run: not
/// whether the source has such data, but what it may have.
/// </summary>
internal static class NewerFeatures
{
    private static readonly Version AnyValkey = new(7, 2);

    private enum Fate
    {
        EndsRun,
        Skipped,
        LeftOut,
    }

    private static readonly Thing[] InCommands =
    [
        new(
            "COPY; GEOSEARCHSTORE; LMOVE but RIGHT LEFT; XADD and XTRIM with MINID; ZADD with GT or LT of several "
                + "members; ZDIFFSTORE; ZRANGESTORE",
            new(6, 2), AnyValkey, Fate.EndsRun),
        new(
            "BITOP with DIFF, DIFF1, ANDOR or ONE; XACKDEL; XADD, XTRIM and XDELEX with DELREF or ACKED",
            new(8, 2), null, Fate.EndsRun),
        new("GEOSEARCHSTORE with BYPOLYGON", null, new(9, 0), Fate.EndsRun),
        new(TypedLosses.FieldExpiry.InWords(), new(7, 4), new(9, 0), Fate.EndsRun),
        new("vector sets", new(8, 0), null, Fate.EndsRun),
        new("arrays", new(8, 8), null, Fate.EndsRun),
        new("messages to shard channels", new(7, 0), AnyValkey, Fate.LeftOut),
        new("consumers without entries", new(6, 2), AnyValkey, Fate.LeftOut),
    ];

    private static readonly Thing[] InKeys =
    [
        new(TypedLosses.FieldExpiry.InWords(), new(7, 4), new(9, 0), Fate.Skipped),
        new("vector sets", new(8, 0), null, Fate.Skipped),
        new("arrays", new(8, 8), null, Fate.Skipped),
        new(TypedLosses.IdleConsumers.InWords(), new(7, 0), AnyValkey, Fate.Skipped),
        new(TypedLosses.StreamCounts.InWords(), new(7, 0), AnyValkey, Fate.Skipped),
        new(TypedLosses.ProducerIds.InWords(), new(8, 6), null, Fate.Skipped),
        new(TypedLosses.UnownedPending.InWords(), new(8, 8), null, Fate.Skipped),
    ];

    /// <summary>A line of what the target cannot take; null where it can take everything.</summary>
    public static string? Missing(TargetServer source, TargetServer target, SyncPlan plan)
    {
        Thing[] libraries = plan.Verb == "scan" ? []
        : [
            new(
                "libraries of functions", new(7, 0), AnyValkey,
                plan.Options.SkipsRefusedLibraries ? Fate.LeftOut : Fate.EndsRun),
        ];
        var things = libraries.Concat(plan.CommandsFollow ? InCommands : [])
            .Concat(plan.Options.Reading.LeavesDataSet ? [] : InKeys)
            .Where(thing => source.Has(thing.Redis, thing.Valkey) && !target.Has(thing.Redis, thing.Valkey))
            .ToLookup(thing => thing.Becomes, thing => thing.Name);
        if (things.Count == 0)
            return null;
        return $"The target {Shown(target)} cannot take all that the source {Shown(source)} may have."
            + Part(
                things[Fate.EndsRun],
                names => $" These end the run with 4: {names} (--block-command leaves a command out, "
                    + $"{SyncCatalogue.SkipRefusedLibraries} libraries).")
            + Part(
                things[Fate.Skipped],
                names => $" These are missing at the target, named by key, and the run is NOT VALID: {names}.")
            + Part(things[Fate.LeftOut], names => $" These are left out: {names}.");
    }

    private static string Part(IEnumerable<string> names, Func<string, string> sentence) =>
        string.Join("; ", names) is { Length: > 0 } all ? sentence(all) : string.Empty;

    private static string Shown(TargetServer server) =>
        $"{server.Target.Name} ({server.Facts.Name} {server.Facts.Version})";

    private sealed record Thing(string Name, Version? Redis, Version? Valkey, Fate Becomes);
}
