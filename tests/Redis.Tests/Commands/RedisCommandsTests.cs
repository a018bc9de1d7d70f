using RedisLatency.Fixtures;
using RedisLatency.Redis.Commands;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Redis.Resp;

namespace RedisLatency.Redis.Tests.Commands;

public sealed class RedisCommandsTests
{
    private const CommandFlags OfServers = CommandFlags.Write | CommandFlags.Read | CommandFlags.Admin
        | CommandFlags.Dangerous | CommandFlags.Blocking;

    // What the table says otherwise than the server, each with its reason.
    private static readonly Dictionary<string, (CommandFlags Flag, string Reason)> Exceptions = new()
    {
        ["memory|purge"] = (CommandFlags.Dangerous, "it frees the memory of the whole server"),
        ["wait"] = (CommandFlags.Blocking, "it always was; Redis says so since 7.2"),
    };

    [Theory]
    [InlineData("redis-server")]
    [InlineData("valkey-server")]
    public async Task Table_OfEveryCommandThatAServerKnows_SaysWhatTheServerSays(string program)
    {
        await using var server = await RedisServerProcess.Start(program);
        using var connection = RedisConnection.Open(RedisEndpoint.Parse(server.Uri), Patience.Connection);

        var rows = All(connection.Request(RespLimits.List, "COMMAND").Items).ToList();

        rows.Count.ShouldBeGreaterThan(300);
        rows.Select(row => (Server: SaidByServer(row), Table: SaidByTable(row.Items[0].Text)))
            .Where(said => said.Server != said.Table).ShouldBeEmpty();
    }

    [Theory]
    [InlineData("redis-server")]
    [InlineData("valkey-server")]
    public async Task Table_OfEveryCommandThatAServerKnows_HasTheGroupThatTheServerHas(string program)
    {
        await using var server = await RedisServerProcess.Start(program);
        using var connection = RedisConnection.Open(RedisEndpoint.Parse(server.Uri), Patience.Connection);

        var docs = connection.Request(RespLimits.List, "COMMAND", "DOCS").Items;

        for (var at = 0; at < docs.Count; at += 2)
        {
            RedisCommands.Find(docs[at].Text)!.Group.ShouldBe(
                docs[at + 1].Find("group")!.Text.ToUpperInvariant().Replace('-', '_'), docs[at].Text);
        }
    }

    [Theory]
    [InlineData("EVAL script 2 k1 k2 a")]
    [InlineData("EVAL script 0 a")]
    [InlineData("eval_ro script 1 k1")]
    [InlineData("FCALL f 1 k1 a")]
    [InlineData("XREAD COUNT 2 STREAMS k1 k2 0 0")]
    [InlineData("XREADGROUP GROUP g c STREAMS k1 >")]
    [InlineData("ZUNION 2 k1 k2")]
    [InlineData("ZUNIONSTORE k1 2 k2 k3 WEIGHTS 1 2")]
    [InlineData("ZDIFFSTORE k1 2 k2 k3")]
    [InlineData("ZINTERCARD 1 k1")]
    [InlineData("SINTERCARD 2 k1 k2 LIMIT 1")]
    [InlineData("LMPOP 1 k1 LEFT")]
    [InlineData("BLMPOP 1 2 k1 k2 LEFT")]
    [InlineData("BZMPOP 1 1 k1 MIN")]
    [InlineData("BLPOP k1 k2 0")]
    [InlineData("SORT k1 BY w* LIMIT 0 5 GET o* STORE k2")]
    [InlineData("SORT k1 BY store")]
    [InlineData("GEORADIUS k1 1 1 1 m STORE k2")]
    [InlineData("GEORADIUSBYMEMBER k1 m 1 m STOREDIST k2")]
    [InlineData("GEOSEARCHSTORE k1 k2 FROMMEMBER m BYRADIUS 1 m")]
    [InlineData("MIGRATE h 1 k1 0 1000")]
    [InlineData("MIGRATE h 1 '' 0 1000 KEYS k1 k2")]
    [InlineData("MSET k1 a k2 b")]
    [InlineData("COPY k1 k2 DB 1")]
    [InlineData("BITOP AND k1 k2 k3")]
    [InlineData("LCS k1 k2")]
    [InlineData("OBJECT ENCODING k1")]
    [InlineData("XGROUP CREATE k1 g $")]
    [InlineData("XINFO STREAM k1")]
    [InlineData("MEMORY USAGE k1")]
    [InlineData("SET k1 v")]
    [InlineData("DEL k1 k2 k3")]
    public async Task Keys_AreThoseOfTheServer_AndTheFirstIsTheFirst(string line)
    {
        await using var server = await RedisServerProcess.Start();
        using var connection = RedisConnection.Open(RedisEndpoint.Parse(server.Uri), Patience.Connection);
        string[] words = [.. line.Split(' ').Select(word => word.Trim('\''))];
        var reply = connection.Request(["COMMAND", "GETKEYS", .. words]);
        string[] expected = reply.IsError ? [] : [.. reply.Items.Select(key => key.Text)];
        var keys = new List<int>();

        RedisCommands.Find(words)!.Keys.Find(new TextWords(words), keys);

        keys.Select(key => words[key]).ShouldBe(expected, ignoreOrder: true);
        var first = CommandKeys.FirstOf(words);
        (first == CommandKeys.None ? null : words[first]).ShouldBe(expected.FirstOrDefault());
    }

    [Fact]
    public void Table_IsInTheOrderOfItsNames_EachOnce() =>
        RedisCommands.All.Select(command => command.Name)
            .ShouldBe(RedisCommands.All.Select(command => command.Name).Distinct().Order(StringComparer.Ordinal));

    // What repeats may be sent again, so it must be known of each write; nothing that only reads changes anything.
    [Fact]
    public void Effects_AndTimes_AreThoseOfWrites() =>
        RedisCommands.All.Where(command => !command.Has(CommandFlags.Write) && !command.Has(CommandFlags.Propagated))
            .ShouldAllBe(command => command.Effect == CommandEffect.Changes && command.Time == default);

    [Theory]
    [InlineData("SET k v", CommandEffect.Replaces)]
    [InlineData("SET k v PX 5", CommandEffect.Replaces)]
    [InlineData("SET k NX", CommandEffect.Replaces)]
    [InlineData("SET k v nx", CommandEffect.Conditional)]
    [InlineData("SET k v IFEQ old", CommandEffect.Conditional)]
    [InlineData("EXPIRE k 5", CommandEffect.Keeps)]
    [InlineData("EXPIRE k 5 GT", CommandEffect.Conditional)]
    [InlineData("RESTORE k 0 p", CommandEffect.Conditional)]
    [InlineData("RESTORE k 0 p REPLACE", CommandEffect.Replaces)]
    [InlineData("ZADD z 1 m", CommandEffect.Adds)]
    [InlineData("ZADD z GT 1 m", CommandEffect.Conditional)]
    [InlineData("ZADD z XX INCR 1 m", CommandEffect.Changes)]
    [InlineData("INCR k", CommandEffect.Changes)]
    public void Effect_IsThatWithTheOptionsGiven(string line, CommandEffect expected)
    {
        var words = line.Split(' ');

        RedisCommands.Find(words)!.EffectOf(new TextWords(words)).ShouldBe(expected);
    }

    private static IEnumerable<RespValue> All(IEnumerable<RespValue> rows)
    {
        const int Subcommands = 9;
        foreach (var row in rows)
        {
            yield return row;
            foreach (var subcommand in row.Items.Count > Subcommands ? All(row.Items[Subcommands].Items) : [])
                yield return subcommand;
        }
    }

    private static string SaidByServer(RespValue row)
    {
        var name = row.Items[0].Text;
        var flags = row.Items[2].Items.Select(flag => flag.Text).ToHashSet();
        var said = CommandFlags.None;
        said |= flags.Contains("write") ? CommandFlags.Write : 0;
        said |= flags.Contains("readonly") ? CommandFlags.Read : 0;
        said |= flags.Contains("admin") ? CommandFlags.Admin : 0;
        said |= flags.Contains("blocking") ? CommandFlags.Blocking : 0;
        said |= row.Items[6].Items.Any(category => category.Text == "@dangerous")
            ? CommandFlags.Dangerous
            : 0;
        said |= Exceptions.GetValueOrDefault(name).Flag;
        return $"{name} {said} {row.Items[3].Number},{row.Items[4].Number},{row.Items[5].Number} "
            + $"{flags.Contains("movablekeys")}";
    }

    private static string SaidByTable(string name)
    {
        if (RedisCommands.Find(name) is not { Keys: var keys } command)
            return $"{name} is missing";
        var said = command.Flags & OfServers;
        said |= command.Has(CommandFlags.Admin) ? CommandFlags.Dangerous : 0;
        return $"{name} {said} {keys.First},{keys.Last},{(keys.First == 0 ? 0 : keys.Step)} {keys.IsMovable}";
    }
}
