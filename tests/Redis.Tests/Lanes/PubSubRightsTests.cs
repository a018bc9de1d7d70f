using RedisLatency.Fixtures;
using RedisLatency.Redis.Connections;
using RedisLatency.Redis.Endpoints;
using RedisLatency.Redis.Lanes;

namespace RedisLatency.Redis.Tests.Lanes;

public sealed class PubSubRightsTests
{
    [Theory]
    [InlineData(RespPreference.Auto)]
    [InlineData(RespPreference.Resp2)]
    public async Task UserWhoMayEverything_LacksNothing(RespPreference protocol)
    {
        await using var server = await RedisTest.StartServer();
        using var connection = RedisConnection.Open(RedisEndpoint.Parse(server.Uri), Patience.Connection with { Protocol = protocol });

        var finding = PubSubRights.Check(connection, ["ping"], ["pong"]);

        finding.IsSufficient.ShouldBeTrue();
        finding.Unknown.ShouldBeEmpty();
        finding.User.ShouldBe("default");
        finding.AclLine.ShouldBeNull();
        connection.Execute("PING").Text.ShouldBe("PONG");
    }

    [Theory]
    [InlineData("+@all resetchannels &ping", "ACL SETUSER alice &pong", "the channel 'pong' to subscribe")]
    [InlineData("+@all -publish allchannels", "ACL SETUSER alice +publish", "the command PUBLISH")]
    [InlineData("+@all -subscribe allchannels", "ACL SETUSER alice +subscribe", "the command SUBSCRIBE")]
    [InlineData("+@all resetchannels", "ACL SETUSER alice &ping &pong", "the channel 'ping' to publish")]
    public async Task WhatIsMissing_IsNamed_AndTheLineGivesIt(string rules, string line, string missing)
    {
        await using var server = await RedisTest.StartServer(["--user", "alice", "on", ">secret", .. rules.Split(' ')]);
        using var admin = RedisConnection.Open(RedisEndpoint.Parse(server.Uri), Patience.Connection);
        using var connection = RedisConnection.Open(RedisEndpoint.Parse(server.Uri.Replace("//", "//alice:secret@")), Patience.Connection);

        var finding = PubSubRights.Check(connection, ["ping"], ["pong"]);

        finding.User.ShouldBe("alice");
        finding.IsSufficient.ShouldBeFalse();
        finding.AclLine.ShouldBe(line);
        finding.Missing.ShouldContain(missing);
        admin.Execute(line.Split(' '));
        PubSubRights.Check(connection, ["ping"], ["pong"]).IsSufficient.ShouldBeTrue();
    }

    [Fact]
    public async Task UserWithoutTransactions_LearnsWhatIsNotKnown()
    {
        await using var server = await RedisTest.StartServer(
            "--user", "alice", "on", ">secret", "+publish", "+subscribe", "allchannels");
        using var connection = RedisConnection.Open(RedisEndpoint.Parse(server.Uri.Replace("//", "//alice:secret@")), Patience.Connection);

        var finding = PubSubRights.Check(connection, ["ping"], ["pong"]);

        finding.IsSufficient.ShouldBeTrue();
        finding.Unknown.ShouldHaveSingleItem().ShouldContain("publish on 'ping'");
        finding.User.ShouldBe("alice");
    }

    [Fact]
    public async Task Checking_PublishesNothing()
    {
        await using var server = await RedisTest.StartServer();
        using var connection = RedisConnection.Open(RedisEndpoint.Parse(server.Uri), Patience.Connection);
        using var lane = Lanes.LaneTest.Open(server.Uri);

        PubSubRights.Check(connection, ["ping"], ["ping"]);

        lane.Publish(0, [1]);
        Lanes.LaneTest.ReceiveBytes(lane).ShouldBe([1]);
    }
}
