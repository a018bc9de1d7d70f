using System.Text;
using RedisLatency.Reports.Output;
using RedisLatency.Workloads.Keys;

namespace RedisLatency.Workloads.Servers;

/// <summary>Looks for keys that a phase would write to and that are no load's of ours, or no longer.</summary>
internal static class ForeignKeys
{
    // Of more keys not every one is asked for: the first, the last, and so many between.
    public const long MostAsked = 1_000_000;

    /// <summary>Null where there is nothing; not whole where not every key was asked for.</summary>
    public static string? Find(KeyServers servers, IReadOnlyList<KeyRange> ranges, out bool isWhole)
    {
        isWhole = true;
        var noted = LoadMarker.Read(servers);
        List<KeyRange> unknown = [.. ranges.SelectMany(range => range.Without(noted.Keys))];
        if (unknown.Count > 0 && LoadMarker.WhyNotWritable(servers) is { } reason)
            return $"{servers.Name}: {reason}";
        if (servers.CountKeys() == 0)
            return null;
        foreach (var range in unknown)
        {
            isWhole &= range.Count <= MostAsked;
            var (first, count) = Count(servers, range, isAnyForeign: true);
            // Another process may have begun to load the same meanwhile; it has said so before.
            if (count > 0 && NotLoaded(servers, [range]).Any())
                return $"{servers.Name}: {Quantity.Count(count)} of the keys that would be written are there, "
                    + $"{first} for one, and no load of this tool has written them";
        }

        var ofStrings = noted.Keys.Where(range => noted[range])
            .SelectMany(range => range.Without(noted.Keys.Where(other => !noted[other]))).ToList();
        foreach (var range in ranges.SelectMany(range => range.Without([.. range.Without(ofStrings)])))
        {
            var (first, count) = Count(servers, range, isAnyForeign: false);
            if (count > 0)
                return $"{servers.Name}: {Quantity.Count(count)} of the keys that would be written are no strings any "
                    + $"more, {first} for one: another program has written them since they were loaded";
        }

        return null;
    }

    public static IReadOnlyList<KeyRange> NotLoaded(KeyServers servers, IEnumerable<KeyRange> ranges)
    {
        var loaded = LoadMarker.Read(servers).Keys;
        return [.. ranges.SelectMany(range => range.Without(loaded))];
    }

    /// <summary>The keys that are there, or those of them that are no strings: the first, and how many.</summary>
    private static (string First, long Count) Count(KeyServers servers, KeyRange range, bool isAnyForeign)
    {
        var form = KeyForm.Parse(range.Form);
        var (first, count) = (range.First, 0L);
        servers.ForEach("TYPE", form, Asked(range), (index, isString) =>
        {
            if (isString && !isAnyForeign)
                return;
            first = count++ == 0 ? index : first;
        });
        return (Named(form, first), count);
    }

    private static IEnumerable<long> Asked(KeyRange range)
    {
        var step = Math.Max(1, (range.Count + MostAsked - 1) / MostAsked);
        for (var index = range.First; index < range.End; index += step)
            yield return index;
        if (step > 1)
            yield return range.End - 1;
    }

    private static string Named(KeyForm form, long index)
    {
        var key = new byte[form.MaximumLength];
        return Encoding.UTF8.GetString(key, 0, form.Write(index, key));
    }
}
