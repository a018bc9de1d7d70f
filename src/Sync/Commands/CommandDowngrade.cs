using System.Globalization;
using System.Text;
using RedisLatency.Sync.Pipeline;

namespace RedisLatency.Sync.Commands;

/// <summary>
/// Commands of a source in forms that an older target knows. A source says what it has done, so conditions were met,
/// and what a newer command does at once older ones do one after another. What has no old form stays as it is, and is
/// refused by the target.
/// </summary>
internal sealed class CommandDowngrade
{
    /// <summary>Why a target that has no shard channels is not sent what is published there.</summary>
    public const string ShardMessages = "messages to shard channels (SPUBLISH), which the older target does not know";

    /// <summary>Why a target that makes consumers by their first entry is not given one without.</summary>
    public const string IdleConsumers =
        "consumers without entries (XGROUP CREATECONSUMER), which the older target makes with their first entry";

    // Options stand before what a command adds.
    private const int LastOption = 8;

    private static readonly string[] ScoreOptions = ["NX", "XX", "GT", "LT", "CH", "INCR"];

    private readonly CommandTable _table;
    private readonly Form?[] _forms;

    public CommandDowngrade(CommandTable table)
    {
        (_table, _forms) = (table, new Form?[table.All.Count]);
        var (knows62, knows70) = (table.TargetHas("GETDEL"), table.TargetHas("SPUBLISH"));
        var (knowsFieldTimes, knowsReferences) = (table.TargetHas("HPEXPIREAT"), table.TargetHas("XDELEX"));
        if (!table.TargetHas("DELEX") && !table.TargetHas("DELIFEQ"))
            Add("SET", words => Set(words, knows62), least: 4);
        string[] trimming = knows62 ? ["LIMIT", "KEEPREF"] : [];
        Add("XADD", words => Trim(words, knows62, knowsReferences), least: 6, trimming);
        Add("XTRIM", words => Trim(words, knows62, knowsReferences), least: 6, trimming);
        if (!knows62)
        {
            Add("LPOP", words => words.Count == 3 ? [["LTRIM", words[1], words[2], "-1"]] : null);
            Add("RPOP", words => words.Count == 3 ? [["LTRIM", words[1], "0", Below(words[2])]] : null);
            Add("LMOVE", words => words.Count == 5 && Is(words[3], "RIGHT") && Is(words[4], "LEFT")
                ? [["RPOPLPUSH", words[1], words[2]]]
                : null);
            Add("ZADD", OnePair, least: 5);
            Add("FLUSHALL", words => Is(words[^1], "SYNC") ? [["FLUSHALL"]] : null);
            Add("FLUSHDB", words => Is(words[^1], "SYNC") ? [["FLUSHDB"]] : null);
            Add("SCRIPT-FLUSH", _ => [["SCRIPT", "FLUSH"]], least: 3);
            LeaveOut("XGROUP-CREATECONSUMER", IdleConsumers);
        }

        if (!knows70)
        {
            Add("XGROUP-CREATE", words => [WithoutPair(words, "ENTRIESREAD")]);
            Add("XGROUP-SETID", words => [WithoutPair(words, "ENTRIESREAD")]);
            Add("XSETID", words => [[.. words.Take(3)]]);
            LeaveOut("SPUBLISH", ShardMessages);
        }

        AddMissing("HSETEX", words => FieldsWithTime(words, knowsFieldTimes));
        AddMissing("HGETDEL", words => [["HDEL", words[1], .. words.Skip(4)]]);
        AddMissing("MSETEX", KeysWithTime);
        AddMissing("XDELEX", words => Is(words[2], "IDS") || Is(words[2], "KEEPREF")
            ? [["XDEL", words[1], .. words.SkipWhile(word => !Is(word, "IDS")).Skip(2)]]
            : null);
        AddMissing("DELEX", words => [["DEL", words[1]]]);
        AddMissing("DELIFEQ", words => [["DEL", words[1]]]);
    }

    /// <summary>Why the target is not sent a command, although no data is missing there; else null.</summary>
    public string? WhyLeftOut(in SyncEntry entry) =>
        entry.Command < _forms.Length ? _forms[entry.Command]?.WhyLeftOut : null;

    /// <summary>What the target carries out instead; null where it knows the command as it is.</summary>
    public List<SyncEntry>? Of(SyncBatch batch, in SyncEntry entry)
    {
        if (entry.Command >= _forms.Length || _forms[entry.Command] is not { Make: { } make } form
            || entry.Words < form.Least || (form.Options.Length > 0 && !HasOne(batch, entry, form.Options)))
        {
            return null;
        }

        var words = new Words();
        for (var i = 0; i < entry.Words; i++)
            words.Add(Encoding.Latin1.GetString(batch.Word(entry, i)));
        if (make(words) is not { } forms)
            return null;
        var made = new List<SyncEntry>();
        foreach (var one in forms)
        {
            var request = batch.Make(one.Count);
            foreach (var word in one)
                request.WriteBulkString(Encoding.Latin1.GetBytes(word));
            made.Add(batch.Replace(entry));
        }

        return made;
    }

    private void Add(
        string name, Func<Words, IEnumerable<Words>?> make, int least = 1, params ReadOnlySpan<string> options)
    {
        var words = new byte[options.Length][];
        for (var i = 0; i < words.Length; i++)
            words[i] = Encoding.ASCII.GetBytes(options[i]);
        Set(name, new(make, null, words, least));
    }

    private void LeaveOut(string name, string why) => Set(name, new(null, why, [], 1));

    private void AddMissing(string name, Func<Words, IEnumerable<Words>?> make)
    {
        if (!_table.TargetHas(name))
            Add(name, make);
    }

    private void Set(string name, Form form)
    {
        if (_table.Find(name) is { } command)
            _forms[command.Number] = form;
    }

    private static bool HasOne(SyncBatch batch, in SyncEntry entry, byte[][] options)
    {
        for (var word = 2; word < Math.Min(entry.Words, LastOption); word++)
        {
            foreach (var option in options)
            {
                if (Ascii.EqualsIgnoreCase(batch.Word(entry, word), option))
                    return true;
            }
        }

        return false;
    }

    // SET key value, with what may stand behind it in any order.
    private static List<Words>? Set(Words words, bool knowsTimes)
    {
        Words set = [.. words.Take(3)];
        Words? expiry = null;
        for (var i = 3; i < words.Count; i++)
        {
            var isLast = i + 1 == words.Count;
            switch (words[i].ToUpperInvariant())
            {
                case "IFEQ" or "IFNE" or "IFDEQ" or "IFDNE" when !isLast:
                    i++;
                    break;
                case "NX" or "XX" or "GET":
                    break;
                case "PXAT" or "EXAT" when !knowsTimes && !isLast:
                    expiry = [Expiry(words[i]), words[1], words[++i]];
                    break;
                default:
                    set.Add(words[i]);
                    break;
            }
        }

        return set.Count == words.Count ? null : expiry is null ? [set] : [set, expiry];
    }

    // XADD key [NOMKSTREAM] [KEEPREF] [MAXLEN | MINID [= | ~] threshold [LIMIT count]] id …, and XTRIM. What a source
    // says behind = it has done, with its LIMIT, which servers take there from their primary alone.
    private static List<Words>? Trim(Words words, bool knows62, bool knowsReferences)
    {
        Words made = [.. words.Take(2)];
        var isExact = false;
        for (var i = 2; i < words.Count; i++)
        {
            switch (words[i].ToUpperInvariant())
            {
                case "NOMKSTREAM" when !knows62:
                case "KEEPREF" when !knowsReferences:
                    break;
                case "NOMKSTREAM" or "KEEPREF" or "DELREF" or "ACKED":
                    made.Add(words[i]);
                    break;
                case "MINID" when !knows62:
                    return null;
                case "MAXLEN" or "MINID" when i + 2 < words.Count:
                    isExact = words[i + 1] == "=";
                    var end = i + (isExact || words[i + 1] == "~" ? 2 : 1);
                    made.AddRange(words[i..(end + 1)]);
                    i = end;
                    break;
                case "LIMIT" when isExact:
                    i++;
                    break;
                default:
                    made.AddRange(words[i..]);
                    i = words.Count;
                    break;
            }
        }

        return made.Count == words.Count ? null : [made];
    }

    // Of several pairs those that did not meet the condition stayed as they were: which, only the source knows.
    private static List<Words>? OnePair(Words words)
    {
        var options = words.Skip(2).TakeWhile(word => ScoreOptions.Contains(word.ToUpperInvariant())).ToList();
        Words kept = [.. options.Where(word => !Is(word, "GT") && !Is(word, "LT"))];
        return kept.Count < options.Count && words.Count == 4 + options.Count
            ? [[.. words.Take(2), .. kept, .. words[^2..]]]
            : null;
    }

    // HSETEX key [FNX | FXX] [KEEPTTL | PXAT time] FIELDS number field value …
    private static List<Words>? FieldsWithTime(Words words, bool knowsTimes)
    {
        var fields = words.FindIndex(word => Is(word, "FIELDS"));
        if (fields < 0)
            return null;
        var time = words.FindIndex(2, fields - 2, word => IsTime(word));
        var keeps = words.Take(fields).Any(word => Is(word, "KEEPTTL"));
        if (time >= 0 ? !knowsTimes : keeps && knowsTimes)
            return null;
        var given = words.Skip(fields + 2).ToList();
        List<Words> made = [["HSET", words[1], .. given]];
        if (time >= 0)
        {
            var names = given.Where((_, i) => i % 2 == 0).ToList();
            made.Add([
                $"H{Expiry(words[time])}", words[1], words[time + 1], "FIELDS",
                names.Count.ToString(CultureInfo.InvariantCulture), .. names,
            ]);
        }

        return made;
    }

    // MSETEX number key value … [NX | XX] [KEEPTTL | PXAT time]
    private static List<Words>? KeysWithTime(Words words)
    {
        if (!int.TryParse(words[1], CultureInfo.InvariantCulture, out var count) || words.Count < 2 + (2 * count))
            return null;
        var pairs = words.Skip(2).Take(2 * count).Chunk(2).ToList();
        var options = words.Skip(2 + (2 * count)).ToList();
        if (options.Exists(word => Is(word, "KEEPTTL")))
            return [.. pairs.Select(pair => new Words { "SET", pair[0], pair[1], "KEEPTTL" })];
        var time = options.FindIndex(IsTime);
        List<Words> made = [["MSET", .. pairs.SelectMany(pair => pair)]];
        if (time >= 0)
            made.AddRange(pairs.Select(pair => new Words { Expiry(options[time]), pair[0], options[time + 1] }));
        return made;
    }

    private static Words WithoutPair(Words words, string name)
    {
        var at = words.FindIndex(word => Is(word, name));
        return at < 0 ? words : [.. words.Take(at), .. words.Skip(at + 2)];
    }

    private static string Expiry(string option) => option.ToUpperInvariant() switch
    {
        "PXAT" => "PEXPIREAT",
        "EXAT" => "EXPIREAT",
        "PX" => "PEXPIRE",
        _ => "EXPIRE",
    };

    private static string Below(string count) => $"-{long.Parse(count, CultureInfo.InvariantCulture) + 1}";

    private static bool IsTime(string word) => Is(word, "PXAT") || Is(word, "EXAT") || Is(word, "PX") || Is(word, "EX");

    private static bool Is(string word, string name) => word.Equals(name, StringComparison.OrdinalIgnoreCase);

    // What is made of a command that has so many words, and one of the options; or why nothing is.
    private sealed record Form(Func<Words, IEnumerable<Words>?>? Make, string? WhyLeftOut, byte[][] Options, int Least);

    // Bytes as characters.
    private sealed class Words : List<string>;
}
