using RedisLatency.Sync.Commands;
using RedisLatency.Sync.Filters;

namespace RedisLatency.Sync.Verify;

/// <summary>What a key is called at the other end: databases mapped, prefixes renamed, filters applied.</summary>
internal sealed class KeyNames(FilterOptions filter, IEnumerable<string> databases, IEnumerable<string> prefixes)
{
    private readonly EntryFilter _filter = new(filter, new CommandTable());

    private readonly TransformPlan _plan = new()
    {
        Databases = DatabaseMap.Parse(databases),
        Prefixes = [.. prefixes.Select(PrefixChange.Parse)],
    };

    /// <summary>Where a key of the source belongs.</summary>
    public KeyName AtDestination(KeyName source) => new(
        _plan.DatabaseOf(source.Database),
        _plan.TryRename(source.Key, out var renamed) ? renamed : source.Key);

    /// <summary>Which keys of the source would come to a key of the destination, whatever filters say.</summary>
    public IEnumerable<KeyName> AtSource(KeyName destination)
    {
        var names = _plan.Prefixes.Where(change => destination.Key.AsSpan().StartsWith(change.To))
            .Select(change => (byte[])[.. change.From, .. destination.Key.AsSpan(change.To.Length)])
            .Append(destination.Key);
        var databases = _plan.Databases.Where(pair => pair.Value == destination.Database).Select(pair => pair.Key)
            .Append(destination.Database).Distinct().ToList();
        // A name whose prefix an earlier change takes elsewhere is none of them.
        return names.SelectMany(name => databases.Select(database => new KeyName(database, name)))
            .Where(source => AtDestination(source).Equals(destination));
    }

    public bool Passes(KeyName source) =>
        _filter.PassesDatabase(source.Database) && _filter.PassesKey(source.Key);
}
