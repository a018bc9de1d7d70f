using RedisLatency.Fixtures;
using RedisLatency.Server.Tests.Wire;

namespace RedisLatency.Server.Tests.Compatibility;

/// <summary>The in-process server beside a real one: what they answer must be the same bytes.</summary>
public class RealServerTests
{
    [Theory]
    [InlineData(2)]
    [InlineData(3)]
    public async Task Replies_ToEveryCommandLine_AreThoseOfRedis(int protocol)
    {
        await using var real = await RedisServerProcess.Start();
        using var ours = InProcessServer.Start();
        Compare(real.Port, ours.Port, CommandLines.All, protocol);
    }

    [Fact]
    public async Task ProtocolErrors_AndInlineCommands_AreAnsweredAsByRedis()
    {
        await using var real = await RedisServerProcess.Start();
        using var ours = InProcessServer.Start();
        string[] inputs =
        [
            "PING\r\nQUIT\r\n", "PING\nQUIT\n", "\r\n\r\nPING\r\nQUIT\r\n", "*0\r\n*-1\r\nPING\r\nQUIT\r\n",
            "SET \"a b\" 'c \\' d'\r\nGET \"a b\"\r\nECHO \"\\x41\\n\\\"\\\\\"\r\nQUIT\r\n", "ECHO \"abc\r\n",
            "ECHO \"a\"b\r\n", "ECHO 'a'b\r\n", "ECHO a\"b\"\r\nQUIT\r\n", "*x\r\n", "*2147483648\r\n",
            "*1\r\nx\r\n", "*1\r\n$x\r\n",
            "*1\r\n$-1\r\n", "*1\r\n$536870913\r\n", "*1\r\n$04\r\nPING\r\n", "*1\r\n$+4\r\nPING\r\n",
            "*1\r\n$4\r\nPING\r\n*1\r\n:1\r\n", $"{new string('x', 70_000)}", $"*{new string('1', 70_000)}",
            $"*1\r\n${new string('1', 70_000)}",
            $"{new string('y', 300)} {new string('z', 300)}\r\nQUIT\r\n", "NO\u0001SUCH a\r\nQUIT\r\n",
        ];
        var differences = new List<string>();
        foreach (var input in inputs)
        {
            var (expected, answered) = (AnswerTo(input, real.Port), AnswerTo(input, ours.Port));
            if (answered != expected)
                differences.Add($"{Shown(input[..Math.Min(input.Length, 60)])}: {Shown(expected)}, {Shown(answered)}");
        }

        differences.ShouldBeEmpty();
    }

    private static string AnswerTo(string input, int port)
    {
        using var client = WireClient.Connect(port);
        client.SendRaw(System.Text.Encoding.Latin1.GetBytes(input));
        return client.ReceiveToEnd();
    }

    private static void Compare(int realPort, int ourPort, IReadOnlyList<string> lines, int protocol)
    {
        using var real = WireClient.Connect(realPort);
        using var ours = WireClient.Connect(ourPort);
        if (protocol == 3)
        {
            // The greeting has the connection's id and the server's version in it: only its shape is compared.
            Lines(ours.Exchange("HELLO", "3")).ShouldBe(Lines(real.Exchange("HELLO", "3")));
        }

        var differences = new List<string>();
        foreach (var line in lines)
        {
            var words = line.Split(' ').Select(word => word == "\"\"" ? string.Empty : word).ToArray();
            var (expected, answered) = (real.Exchange(words), ours.Exchange(words));
            if (answered != expected)
                differences.Add($"{line}: expected {Shown(expected)}, answered {Shown(answered)}");
        }

        differences.ShouldBeEmpty();
    }

    private static string Shown(string answer) => answer.Replace("\r\n", "|", StringComparison.Ordinal);

    private static int Lines(string text) => text.Count(letter => letter == '\n');
}
