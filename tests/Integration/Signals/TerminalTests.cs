using System.Text.RegularExpressions;
using RedisLatency.Fixtures;

namespace RedisLatency.Integration.Signals;

/// <summary>The live view on a terminal: keys, width, and the terminal's mode afterwards.</summary>
public sealed partial class TerminalTests
{
    private const char ControlC = '\x03';

    [Theory]
    [InlineData('q', "plain")]
    [InlineData('q', "rich")]
    [InlineData(ControlC, "plain")]
    public async Task Stop_ByAKey_IsThatOfSigint_AndLeavesTheTerminalAsItWas(char key, string live)
    {
        await using var terminal = Start(80, "--duration", "10m", "--live", live);
        await WaitForRows(terminal);
        terminal.IsRaw.ShouldBeTrue();

        terminal.Press(key);

        (await terminal.End()).ShouldBe(130, terminal.ToString());
        terminal.Screen.Lines.ShouldContain(line => line.Contains("SIGINT: draining and reporting"));
        terminal.Screen.Lines.ShouldContain(line => line.Contains("PARTIAL") && line.Contains("stopped by a signal"));
        terminal.Screen.Lines.ShouldContain(line => line.Contains("partial=true") && line.Contains("exit=130"));
        terminal.Modes.Lines.ShouldBe([terminal.Modes.Lines[0], terminal.Modes.Lines[0]]);
    }

    [Fact]
    public async Task SecondStop_EndsAtOnce_AndLeavesTheTerminalAsItWas()
    {
        await using var server = await RedisServerProcess.Start();
        await using var consumer = ServiceProcess.Start("Consumer", "--redis", server.Uri);
        await using var terminal = Start(
            80, "--redis", server.Uri, "--consumer", "required", "--duration", "10m", "--receive-deadline", "10m", "--live",
            "plain");
        await WaitForRows(terminal);
        server.Pause();
        terminal.Press('q');
        await terminal.Screen.WaitFor("draining and reporting");

        // Within a moment of the first, a second is taken for the same.
        var end = terminal.End();
        while (await Task.WhenAny(end, Task.Delay(50, TestContext.Current.CancellationToken)) != end)
            terminal.Press(ControlC);

        (await end).ShouldBe(130, terminal.ToString());
        terminal.Modes.Lines.ShouldBe([terminal.Modes.Lines[0], terminal.Modes.Lines[0]]);
        server.Resume();
    }

    [Fact]
    public async Task Pause_StopsThePrintingAndNotTheMeasuring()
    {
        await using var terminal = Start(80, "--duration", "4s", "--live", "plain");
        await WaitForRows(terminal);

        terminal.Press('p');
        await terminal.Screen.WaitFor("Display paused");
        terminal.Press('h');
        await terminal.Screen.WaitFor("Keys: q ");

        (await terminal.End()).ShouldBeOneOf([0, 4], terminal.ToString());
        terminal.Screen.Lines.SkipWhile(line => !line.Contains("Display paused")).ShouldNotContain(
            line => Row().IsMatch(line));
        terminal.Screen.Lines.ShouldContain(line => line.Contains("sent=4000"));
    }

    [Theory]
    [InlineData("plain", 50)]
    [InlineData("rich", 50)]
    [InlineData("plain", 80)]
    [InlineData("rich", 80)]
    [InlineData("plain", 120)]
    [InlineData("rich", 120)]
    public async Task Rows_FitTheTerminal(string live, int columns)
    {
        await using var terminal = Start(columns, "--duration", "3s", "--live", live);

        (await terminal.End()).ShouldBeOneOf([0, 4], terminal.ToString());

        var rows = terminal.Screen.Lines.Select(line => Escape().Replace(line, string.Empty).TrimEnd())
            .Where(line => Row().IsMatch(line)).ToList();
        rows.Count.ShouldBeGreaterThan(1, terminal.ToString());
        rows.ShouldAllBe(row => row.Length <= columns);
    }

    [Theory]
    [InlineData(50)]
    [InlineData(120)]
    public async Task Answer_IsAsWideAsTheTerminal_WithinReason(int columns)
    {
        await using var terminal = Start(columns, "--duration", "1s", "--live", "none");

        (await terminal.End()).ShouldBeOneOf([0, 4], terminal.ToString());

        var answer = terminal.Screen.Lines.Select(line => line.TrimEnd()).SkipWhile(line => !Verdict().IsMatch(line))
            .TakeWhile(line => !line.StartsWith("RESULT ", StringComparison.Ordinal)).ToList();
        answer.ShouldNotBeEmpty(terminal.ToString());
        // A path, which is one word, is not broken.
        answer.ShouldAllBe(line => line.Length <= columns || !line.Trim().Contains(' '));
        answer.ShouldContain(line => line.Length > columns - 20);
        answer.ShouldAllBe(line => !line.Contains('\e'));
    }

    /// <summary>It would be drawn over what the foreground shows.</summary>
    [Fact]
    public async Task LiveView_OfWhatRunsInTheBackground_IsShownOnlyIfAskedFor()
    {
        string[] arguments = ["--rate", "1000", "--warmup", "100ms", "--duration", "2s"];
        await using var silent = PseudoTerminal.StartInBackground(80, "Producer", arguments);
        await using var asked = PseudoTerminal.StartInBackground(80, "Producer", [.. arguments, "--live", "plain"]);

        (await silent.End()).ShouldBeOneOf([0, 4], silent.ToString());
        (await asked.End()).ShouldBeOneOf([0, 4], asked.ToString());

        silent.Screen.Lines.ShouldContain(line => line.Contains("sent=2000"), silent.ToString());
        silent.Screen.Lines.ShouldNotContain(line => Row().IsMatch(Escape().Replace(line, string.Empty)));
        asked.Screen.Lines.ShouldContain(line => Row().IsMatch(line), asked.ToString());
    }

    private static PseudoTerminal Start(int columns, params string[] arguments) =>
        PseudoTerminal.Start(columns, "Producer", ["--rate", "1000", "--warmup", "100ms", .. arguments]);

    private static Task<string> WaitForRows(PseudoTerminal terminal) =>
        terminal.Screen.WaitFor("a row of the live view", line => Row().IsMatch(Escape().Replace(line, string.Empty)));

    // Of the plain view, of the rich one, and of the rich one where that is narrow.
    [GeneratedRegex(@"\d:\d\d measure |MEASURE +\d:\d\d|measure \d:\d\d")]
    private static partial Regex Row();

    [GeneratedRegex(@"^VERDICT  ")]
    private static partial Regex Verdict();

    [GeneratedRegex(@"\e\[[0-9;?]*[A-Za-z]")]
    private static partial Regex Escape();
}
