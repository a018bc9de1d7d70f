using RedisLatency.Redis.Resp;
using RedisLatency.Sync.Pipeline;

namespace RedisLatency.Sync.Commands;

/// <summary>
/// The commands that a source may send: their groups, where their keys are, and which may be sent twice. Groups and
/// keys are those of COMMAND DOCS of Redis 7.0, later ones from the documentation; what is not here is asked of the
/// target. Only writes, messages, scripts and what frames them are carried out.
/// </summary>
internal sealed class CommandTable
{
    public const string UnknownGroup = "unknown";

    public static readonly string[] Emptying = ["FLUSHALL", "FLUSHDB", "SWAPDB"];

    // NAME KEYS: 1 the first word after the name, 1,2 the first two, 1- all, 1-. all but the last, 1-/2 every other;
    // n2 as many as the second word says, 1n2 with one before. A sign behind a name is its effect.
    private const string Known = """
        BITMAP: BITFIELD 1; BITOP 2-; SETBIT= 1;
        CONNECTION: SELECT -;
        GENERIC: COPY 1,2; DEL# 1-; EXISTS? 1-; EXPIRE@ 1; EXPIREAT@ 1; MIGRATE -; MOVE 1; PERSIST@ 1;
            PEXPIRE@ 1; PEXPIREAT@ 1; RENAME 1,2; RENAMENX 1,2; RESTORE# 1; SORT S; TOUCH? 1-; UNLINK# 1-;
        GEO: GEOADD= 1; GEORADIUS G; GEORADIUSBYMEMBER G; GEOSEARCHSTORE 1,2;
        HASH: HDEL~ 1; HEXPIRE= 1; HEXPIREAT= 1; HGETDEL~ 1; HGETEX? 1; HINCRBY 1; HINCRBYFLOAT 1; HMSET= 1;
            HPERSIST= 1; HPEXPIRE= 1; HPEXPIREAT= 1; HSET= 1; HSETEX? 1; HSETNX= 1;
        HYPERLOGLOG: PFADD= 1; PFCOUNT? 1-; PFMERGE 1-;
        LIST: BLMOVE 1,2; BLMPOP n2; BLPOP 1-.; BRPOP 1-.; BRPOPLPUSH 1,2; LINSERT 1; LMOVE 1,2; LMPOP n1;
            LPOP 1; LPUSH 1; LPUSHX 1; LREM 1; LSET 1; LTRIM 1; RPOP 1; RPOPLPUSH 1,2; RPUSH 1; RPUSHX 1;
        PUBSUB: PUBLISH -; SPUBLISH 1;
        SCRIPTING: EVAL n2; EVALSHA n2; FCALL n2; FUNCTION-DELETE# -; FUNCTION-FLUSH# -; FUNCTION-LOAD# -;
            FUNCTION-RESTORE# -; SCRIPT-FLUSH# -; SCRIPT-LOAD# -;
        SERVER: FLUSHALL# -; FLUSHDB# -; RESTORE-ASKING# 1; SWAPDB -;
        SET: SADD= 1; SDIFFSTORE 1-; SINTERSTORE 1-; SMOVE 1,2; SPOP 1; SREM~ 1; SUNIONSTORE 1-;
        SORTED_SET: BZMPOP n2; BZPOPMAX 1-.; BZPOPMIN 1-.; ZADD= 1; ZDIFFSTORE 1n2; ZINCRBY 1; ZINTERSTORE 1n2;
            ZMPOP n1; ZPOPMAX 1; ZPOPMIN 1; ZRANGESTORE 1,2; ZREM~ 1; ZREMRANGEBYLEX~ 1; ZREMRANGEBYRANK 1;
            ZREMRANGEBYSCORE~ 1; ZUNIONSTORE 1n2;
        STREAM: XACK 1; XACKDEL 1; XADD 1; XAUTOCLAIM 1; XCLAIM= 1; XDEL~ 1; XDELEX 1; XGROUP-CREATE 2;
            XGROUP-CREATECONSUMER 2; XGROUP-DELCONSUMER 2; XGROUP-DESTROY 2; XGROUP-SETID 2; XREADGROUP X;
            XSETID 1; XTRIM~ 1;
        STRING: APPEND 1; DECR 1; DECRBY 1; DELEX 1; DELIFEQ 1; GETDEL# 1; GETEX@ 1; GETSET# 1; INCR 1;
            INCRBY 1; INCRBYFLOAT 1; MSET# 1-/2; MSETEX n1; MSETNX 1-/2; PSETEX# 1; SET# 1; SETEX# 1; SETNX? 1;
            SETRANGE= 1;
        TAIRHASH: EXHDEL~ 1; EXHDELWITHVER 1; EXHEXPIRE 1; EXHEXPIREAT 1; EXHINCRBY 1; EXHINCRBYFLOAT 1;
            EXHMSET 1; EXHMSETWITHOPTS 1; EXHPERSIST 1; EXHPEXPIRE 1; EXHPEXPIREAT 1; EXHSET= 1; EXHSETVER 1;
        TAIRSTRING: CAD 1; CAS 1; EXAPPEND 1; EXCAD 1; EXCAS 1; EXINCRBY 1; EXINCRBYFLOAT 1; EXPREPEND 1;
            EXSET? 1; EXSETVER 1;
        TAIRZSET: EXZADD= 1; EXZINCRBY 1; EXZREM~ 1; EXZREMRANGEBYLEX 1; EXZREMRANGEBYRANK 1;
            EXZREMRANGEBYSCORE 1;
        TRANSACTIONS: EXEC -; MULTI -;
        """;

    private const string Signs = "=~#@?";

    private static readonly string[] Containers = ["XGROUP", "FUNCTION", "SCRIPT"];

    private readonly List<CommandSpec> _all = [];
    private readonly Dictionary<string, CommandSpec> _byName = new(StringComparer.Ordinal);
    private readonly Dictionary<string, CommandSpec>.AlternateLookup<ReadOnlySpan<char>> _byText;

    public CommandTable()
    {
        _byText = _byName.GetAlternateLookup<ReadOnlySpan<char>>();
        var group = UnknownGroup;
        foreach (var part in Known.Split(';', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries))
        {
            var colon = part.IndexOf(':', StringComparison.Ordinal);
            group = colon < 0 ? group : part[..colon];
            var words = part[(colon + 1)..].Split(' ', StringSplitOptions.RemoveEmptyEntries);
            var name = words[0].TrimEnd(Signs.ToCharArray());
            Add(name, group, KeyRule.Parse(words[1]), EffectOf(words[0][^1]), CommandFates.Of(name, ["write"]));
        }
    }

    public IReadOnlyList<CommandSpec> All => _all;

    public static IEnumerable<string> Groups => new CommandTable().All.Select(one => one.Group).Distinct().Concat(
        ["CLUSTER", "SENTINEL"]);

    /// <summary>A command by its name in capitals, that of a container with its own: XGROUP-CREATE.</summary>
    public CommandSpec? Find(string name) => _byName.GetValueOrDefault(name);

    /// <summary>The command of an entry; null where it is not known. Does not allocate.</summary>
    public CommandSpec? Find(SyncBatch batch, in SyncEntry entry)
    {
        Span<char> name = stackalloc char[64];
        var length = Append(name, 0, batch.Word(entry, 0));
        if (length < 0)
            return null;
        if (entry.Words > 1 && IsContainer(name[..length]))
        {
            name[length++] = '-';
            length = Append(name, length, batch.Word(entry, 1));
            if (length < 0)
                return null;
        }

        return _byText.TryGetValue(name[..length], out var found) ? found : null;
    }

    /// <summary>Takes over what a server says of its commands, as far as they are not known here.</summary>
    public void Learn(RespValue commands)
    {
        const int Flags = 2;
        const int FirstKey = 3;
        foreach (var row in commands.Items.Where(row => row.Items.Count > FirstKey + 2))
        {
            var name = row.Items[0].Text.ToUpperInvariant();
            var flags = row.Items[Flags].Items.Select(flag => flag.Text).ToList();
            var fate = CommandFates.Of(name, flags);
            if (_byName.ContainsKey(name) || (fate == CommandFate.CarriedOut && flags.Contains("movablekeys")))
                continue;
            Add(
                name, UnknownGroup,
                KeyRule.Of((int)row.Items[FirstKey].Number, (int)row.Items[FirstKey + 1].Number,
                    (int)row.Items[FirstKey + 2].Number),
                CommandEffect.Changes, fate);
        }
    }

    private void Add(string name, string group, KeyRule keys, CommandEffect effect, CommandFate fate)
    {
        var spec = new CommandSpec(_all.Count, name, group, keys, effect, fate);
        _all.Add(spec);
        _byName.Add(name, spec);
    }

    private static CommandEffect EffectOf(char sign) => sign switch
    {
        '=' => CommandEffect.Adds,
        '~' => CommandEffect.Removes,
        '#' => CommandEffect.Replaces,
        '@' => CommandEffect.Keeps,
        '?' => CommandEffect.Conditional,
        _ => CommandEffect.Changes,
    };

    private static bool IsContainer(ReadOnlySpan<char> name)
    {
        foreach (var container in Containers)
        {
            if (name.SequenceEqual(container))
                return true;
        }

        return false;
    }

    private static int Append(Span<char> name, int length, ReadOnlySpan<byte> word)
    {
        if (word.Length > name.Length - length - 1)
            return -1;
        foreach (var letter in word)
            name[length++] = letter is >= (byte)'a' and <= (byte)'z' ? (char)(letter - 32) : (char)letter;
        return length;
    }
}
