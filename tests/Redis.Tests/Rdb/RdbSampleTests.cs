using System.Globalization;
using System.Text;
using System.Text.Json.Nodes;
using RedisLatency.Redis.Rdb;

namespace RedisLatency.Redis.Tests.Rdb;

/// <summary>Files of many versions, read as those who collected them did.</summary>
public sealed class RdbSampleTests
{
    public static TheoryData<string> Names => [.. RdbSamples.Names];

    [Theory]
    [MemberData(nameof(Names))]
    public void Sample_HoldsWhatTheJsonBesideItSays(string name)
    {
        var reader = new RdbReader(new MemoryStream(RdbSamples.Bytes(name)));
        var expected = RdbSamples.Json(name) is { } json ? JsonNode.Parse(json)!.AsArray() : null;
        var found = new List<string>();
        var fields = new List<string>();
        while (reader.Read() is var record && record != RdbRecord.End)
        {
            if (record == RdbRecord.Key)
                found.Add($"{reader.Entry.Database} {Utf8(reader.Entry.Key)} {Expiry(reader.Entry)}: {Value(reader)}");
            else if (record == RdbRecord.Function)
                fields.Add($"functions: {Utf8(reader.Content)}");
            else
                fields.Add($"{reader.AuxiliaryName}: {Utf8(reader.Content)}");
        }

        if (expected is null)
        {
            found.ShouldNotBeEmpty();
            return;
        }

        var isKey = expected.ToLookup(one => (string)one!["type"]! is not ("aux" or "functions"));
        found.Order(StringComparer.Ordinal)
            .ShouldBe(isKey[true].Select(one => Key(one!)).Order(StringComparer.Ordinal));
        isKey[false].Select(one => $"{one!["key"]}: {one["value"] ?? one["functionsLua"]}").ShouldBeSubsetOf(fields);
    }

    private static string Utf8(ReadOnlySpan<byte> bytes) => Encoding.UTF8.GetString(bytes);

    private static string Utf8(string latin) => Encoding.UTF8.GetString(Encoding.Latin1.GetBytes(latin));

    private static string Expiry(RdbEntry entry) => entry.ExpiresAtMs is { } expiry ? $"until {expiry}" : "for ever";

    private static string Key(JsonNode key)
    {
        var expiry = key["expiration"] is { } until
            ? $"until {DateTimeOffset.Parse((string)until!, CultureInfo.InvariantCulture).ToUnixTimeMilliseconds()}"
            : "for ever";
        return $"{key["db"]} {key["key"]} {expiry}: {Value(key)}";
    }

    private static string Value(JsonNode key) => (string)key["type"]! switch
    {
        "string" => (string)key["value"]!,
        "list" => string.Join('|', key["values"]!.AsArray()),
        "set" => Sorted(key["members"]!.AsArray().Select(one => (string)one!)),
        "zset" => Sorted(key["entries"]!.AsArray()
            .Select(one => $"{one!["member"]}={Score(one["score"]!.ToString())}")),
        "hash" => Sorted(key["hash"]!.AsObject().Select(field =>
            $"{field.Key}={field.Value}" + ((long?)key["expire"]?[field.Key] is > 0 and var time ? $"@{time}" : ""))),
        "stream" => Stream(key),
        var other => other,
    };

    private static string Stream(JsonNode key)
    {
        var entries = key["entries"]?.AsArray().SelectMany(node => node!["msgs"]!.AsArray())
            .Where(entry => !(bool)entry!["deleted"]!)
            .Select(entry => $"{entry!["id"]} "
                + Sorted(entry["fields"]!.AsObject().Select(one => $"{one.Key}={one.Value}")));
        var groups = (key["groups"]?.AsArray() ?? []).SelectMany(group => (group!["consumers"]?.AsArray() ?? [])
            .SelectMany(consumer => consumer!["pending"]?.AsArray() ?? [], (consumer, id) =>
                $"{group["name"]} {group["lastId"]} {consumer!["name"]} {id} "
                + group["pending"]!.AsArray().Where(one => (string)one!["id"]! == (string)id!)
                    .Select(one => $"{one!["deliveryTime"]} {one["deliveryCount"]}").Single()));
        return $"{string.Join('|', entries ?? [])} last {key["lastId"]} {string.Join('|', groups)}";
    }

    private static string Value(RdbReader reader)
    {
        var commands = RdbText.Commands(reader).Select(words => words.Select(Utf8).ToArray())
            .Where(words => words[0] != "PEXPIREAT").ToList();
        var all = commands.SelectMany(words => words.Skip(2)).ToArray();
        var pairs = all.Chunk(2);
        switch (reader.Entry.Kind)
        {
            case RdbKind.String:
                return string.Concat(all);
            case RdbKind.List:
                return string.Join('|', all);
            case RdbKind.Set:
                return Sorted(all);
            case RdbKind.SortedSet:
                return Sorted(pairs.Select(pair => $"{pair[1]}={Score(pair[0])}"));
            case RdbKind.Hash:
                var times = commands.Where(words => words[0] == "HPEXPIREAT")
                    .SelectMany(words => words.Skip(5), (words, field) => (Field: field, Time: words[2]))
                    .ToDictionary(one => one.Field, one => one.Time);
                return Sorted(commands.Where(words => words[0] == "HSET").SelectMany(words => words.Skip(2).Chunk(2))
                    .Select(pair => $"{pair[0]}={pair[1]}"
                        + (times.TryGetValue(pair[0], out var time) ? $"@{time}" : "")));
            case RdbKind.Stream:
                return Stream(commands);
            default:
                return reader.Entry.Kind.ToString();
        }
    }

    private static string Stream(List<string[]> commands)
    {
        var entries = commands.Where(words => words[0] == "XADD" && words[2] != "MAXLEN").Select(words =>
        {
            // A map of fields, as the JSON has them, keeps the last of each name.
            var fields = words.Skip(3).Chunk(2).GroupBy(pair => pair[0], pair => pair[1]);
            return $"{words[2]} {Sorted(fields.Select(field => $"{field.Key}={field.Last()}"))}";
        });
        var last = commands.Single(words => words[0] == "XSETID")[2];
        var groups = commands.Where(words => words[0] == "XCLAIM").Select(words =>
            $"{words[2]} {commands.Single(one => one is ["XGROUP", "CREATE", ..] && one[3] == words[2])[4]} "
            + $"{words[3]} {words[5]} {words[7]} {words[9]}");
        return $"{string.Join('|', entries)} last {last} {string.Join('|', groups)}";
    }

    private static string Sorted(IEnumerable<string> texts) => string.Join('|', texts.Order(StringComparer.Ordinal));

    private static string Score(string text) => text switch
    {
        "inf" => "+Inf",
        "-inf" => "-Inf",
        _ => double.TryParse(text, CultureInfo.InvariantCulture, out var score)
            ? score.ToString("R", CultureInfo.InvariantCulture) : text,
    };
}
