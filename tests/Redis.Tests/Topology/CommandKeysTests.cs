using RedisLatency.Fixtures;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Redis.Resp;
using RedisLatency.Redis.Topology;

namespace RedisLatency.Redis.Tests.Topology;

public sealed class CommandKeysTests
{
    [Fact]
    public async Task FirstKey_OfEveryCommandOfAServer_IsWhereTheServerSaysIt()
    {
        await using var server = await RedisServerProcess.Start();
        using var connection = RedisConnection.Open(RedisEndpoint.Parse(server.Uri), Patience.Connection);
        var checkedCommands = 0;

        foreach (var command in connection.Request(RespLimits.List, "COMMAND").Items)
            Check(command);

        checkedCommands.ShouldBeGreaterThan(200);

        void Check(RespValue command)
        {
            const int Flags = 2;
            const int FirstKey = 3;
            const int Subcommands = 9;
            var name = command.Items[0].Text;
            var said = (int)command.Items[FirstKey].Number;
            var subcommands = command.Items.Count > Subcommands ? command.Items[Subcommands].Items : [];
            foreach (var subcommand in subcommands)
                Check(subcommand);
            if (subcommands.Count > 0 || command.Items[Flags].Items.Any(flag => flag.Text == "movablekeys"))
                return;
            List<string> words = [.. name.Split('|'), "1", "2", "3", "4"];
            // Not for a cluster's clients: nodes say them to each other, or nobody does with a key.
            if (name is "pfselftest" or "restore-asking" or "sync" || name.StartsWith("debug", StringComparison.Ordinal))
                return;
            var expected = said > 0 ? said : CommandKeys.None;
            // MEMORY USAGE and OBJECT FREQ have one, their HELP has none; nobody sends that to be measured.
            if (expected == CommandKeys.None && name.Contains('|', StringComparison.Ordinal)
                && name.Split('|')[0] is "memory" or "object" or "xgroup" or "xinfo")
                return;
            CommandKeys.FirstOf(words).ShouldBe(expected, name);
            checkedCommands++;
        }
    }

    [Theory]
    [InlineData("EVAL script 2 k1 k2 a")]
    [InlineData("eval_ro script 1 k1")]
    [InlineData("FCALL f 1 k1 a")]
    [InlineData("XREAD COUNT 2 STREAMS k1 k2 0 0")]
    [InlineData("XREADGROUP GROUP g c STREAMS k1 >")]
    [InlineData("ZUNION 2 k1 k2")]
    [InlineData("ZUNIONSTORE k1 2 k2 k3")]
    [InlineData("ZINTERCARD 1 k1")]
    [InlineData("SINTERCARD 1 k1")]
    [InlineData("LMPOP 1 k1 LEFT")]
    [InlineData("BLMPOP 1 2 k1 k2 LEFT")]
    [InlineData("BZMPOP 1 1 k1 MIN")]
    [InlineData("SORT k1 STORE k2")]
    [InlineData("GEORADIUS k1 1 1 1 m STORE k2")]
    [InlineData("MIGRATE h 1 k1 0 1000")]
    [InlineData("MIGRATE h 1 '' 0 1000 KEYS k1 k2")]
    [InlineData("BITOP AND k1 k2")]
    [InlineData("OBJECT ENCODING k1")]
    [InlineData("XGROUP CREATE k1 g $")]
    [InlineData("MEMORY USAGE k1")]
    public async Task FirstKey_OfCommandsWhoseWordsSayIt_IsThatOfTheServer(string line)
    {
        await using var server = await RedisServerProcess.Start();
        using var connection = RedisConnection.Open(RedisEndpoint.Parse(server.Uri), Patience.Connection);
        string[] words = [.. line.Split(' ').Select(word => word.Trim('\''))];

        var keys = connection.Execute(["COMMAND", "GETKEYS", .. words]);

        words[CommandKeys.FirstOf(words)].ShouldBe(keys.Items[0].Text);
    }

    [Theory]
    [InlineData("PING")]
    [InlineData("PUBLISH channel x")]
    [InlineData("EVAL script 0 a")]
    [InlineData("XREAD COUNT 2")]
    [InlineData("SET")]
    public void CommandsWithoutAKey_HaveNone(string line) =>
        CommandKeys.FirstOf(line.Split(' ')).ShouldBe(CommandKeys.None);
}
