using RedisLatency.Fixtures;
using RedisLatency.Redis.Commands;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Redis.Resp;

namespace RedisLatency.Redis.Tests.Commands;

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
            var expected = said > 0 ? said : CommandKeys.None;
            CommandKeys.FirstOf(words).ShouldBe(expected, name);
            checkedCommands++;
        }
    }

    [Theory]
    [InlineData("PING")]
    [InlineData("PUBLISH channel x")]
    [InlineData("EVAL script 0 a")]
    [InlineData("XREAD COUNT 2")]
    [InlineData("SET")]
    [InlineData("OBJECT HELP")]
    [InlineData("DEBUG SLEEP 0")]
    [InlineData("pfselftest x")]
    public void CommandsWithoutAKey_HaveNone(string line) =>
        CommandKeys.FirstOf(line.Split(' ')).ShouldBe(CommandKeys.None);

    [Theory]
    [InlineData("NEW k", 1)]
    [InlineData("DEBUG OBJECT k", 2)]
    [InlineData("EVAL script __rand_int__ k", 3)]
    [InlineData("MSETEX 1 k v", 2)]
    public void FirstKey_IsFound_AlsoWhereTheServerOfTheTestsDoesNotSayIt(string line, int expected) =>
        CommandKeys.FirstOf(line.Split(' ')).ShouldBe(expected);
}
