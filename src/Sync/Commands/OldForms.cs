using System.Globalization;
using System.Text;
using RedisLatency.Redis.Resp;
using RedisLatency.Sync.Pipeline;

namespace RedisLatency.Sync.Commands;

/// <summary>
/// Commands of a source in forms that an older target knows. A source says what it has done, so conditions were met,
/// and what a newer command does at once older ones do one after another. What has no old form stays as it is, and is
/// refused by the target.
/// </summary>
internal sealed class OldForms
{
    private readonly CommandTable _table;
    private readonly Func<Words, IEnumerable<Words>?>?[] _forms;
    private readonly CommandFrames _frames = new();
    private readonly RespWriter _request = new();

    public OldForms(CommandTable table)
    {
        (_table, _forms) = (table, new Func<Words, IEnumerable<Words>?>?[table.All.Count]);
        var (knows62, knows70) = (table.TargetHas("GETDEL"), table.TargetHas("SPUBLISH"));
        var knowsFieldTimes = table.TargetHas("HPEXPIREAT");
        if (!table.TargetHas("DELEX") && !table.TargetHas("DELIFEQ"))
            Add("SET", words => Set(words, knows62));
        if (!knows62)
        {
            Add("LPOP", words => words.Count == 3 ? [["LTRIM", words[1], words[2], "-1"]] : null);
            Add("RPOP", words => words.Count == 3 ? [["LTRIM", words[1], "0", Below(words[2])]] : null);
            Add("XADD", Entry);
            Add("ZADD", OnePair);
            Add("XGROUP-CREATECONSUMER", _ => []);
        }

        if (!knows70)
        {
            Add("XGROUP-CREATE", words => [WithoutPair(words, "ENTRIESREAD")]);
            Add("XGROUP-SETID", words => [WithoutPair(words, "ENTRIESREAD")]);
            Add("XSETID", words => [[.. words.Take(3)]]);
            Add("SPUBLISH", _ => []);
        }

        AddMissing("HSETEX", words => FieldsWithTime(words, knowsFieldTimes));
        AddMissing("HGETDEL", words => [["HDEL", words[1], .. words.Skip(4)]]);
        AddMissing("MSETEX", KeysWithTime);
        AddMissing("DELEX", words => [["DEL", words[1]]]);
        AddMissing("DELIFEQ", words => [["DEL", words[1]]]);
    }

    /// <summary>What the target carries out instead; null where it knows the command as it is.</summary>
    public List<SyncEntry>? Of(SyncBatch batch, in SyncEntry entry)
    {
        if (entry.Command >= _forms.Length || _forms[entry.Command] is not { } form)
            return null;
        var words = new Words();
        for (var i = 0; i < entry.Words; i++)
            words.Add(Encoding.Latin1.GetString(batch.Word(entry, i)));
        if (form(words) is not { } forms)
            return null;
        var made = new List<SyncEntry>();
        foreach (var one in forms)
        {
            _request.Clear();
            _request.WriteArrayHeader(one.Count);
            foreach (var word in one)
                _request.WriteBulkString(Encoding.Latin1.GetBytes(word));
            made.Add(batch.Replace(entry, _request.Written, _frames));
        }

        return made;
    }

    private void Add(string name, Func<Words, IEnumerable<Words>?> form)
    {
        if (_table.Find(name) is { } command)
            _forms[command.Number] = form;
    }

    private void AddMissing(string name, Func<Words, IEnumerable<Words>?> form)
    {
        if (!_table.TargetHas(name))
            Add(name, form);
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

    private static List<Words>? Entry(Words words)
    {
        var id = words.FindIndex(2, word => word.Length > 0 && char.IsAsciiDigit(word[0]) && word.Contains('-'));
        if (id < 0 || words.Take(id).Any(IsMinimum))
            return null;
        return [[.. words.Where((word, i) => i > id || !Is(word, "NOMKSTREAM"))]];
    }

    private static List<Words>? OnePair(Words words)
    {
        var end = words.Count - 2;
        Words kept = [.. words.Where((word, i) => i < 2 || i >= end || !(Is(word, "GT") || Is(word, "LT")))];
        // Of several, those that did not meet the condition stayed as they were.
        var options = kept.Skip(2).TakeWhile(word => !double.TryParse(word, CultureInfo.InvariantCulture, out _));
        return kept.Count < words.Count && kept.Count - 2 - options.Count() == 2 ? [kept] : null;
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

    private static bool IsMinimum(string word) => Is(word, "MINID");

    private static bool Is(string word, string name) => word.Equals(name, StringComparison.OrdinalIgnoreCase);

    // Bytes as characters.
    private sealed class Words : List<string>;
}
