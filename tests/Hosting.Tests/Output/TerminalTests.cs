namespace RedisLatency.Hosting.Output;

public sealed class TerminalTests
{
    [Fact]
    public void ATerminal_IsInteractiveAndColoured() =>
        Detect(isTerminal: true, ("TERM", "xterm-256color")).ShouldBe(new Terminal(true, true, 120, 40));

    [Fact]
    public void APipe_IsNeither() =>
        Detect(isTerminal: false, ("TERM", "xterm-256color")).ShouldBe(new Terminal(false, false, 80, 24));

    [Theory]
    [InlineData("CI", "true")]
    [InlineData("GITHUB_ACTIONS", "true")]
    [InlineData("TERM", "dumb")]
    [InlineData("TERM", "")]
    public void CiOrADumbTerminal_IsNotInteractive(string name, string value) =>
        Detect(isTerminal: true, ("TERM", "xterm"), (name, value)).IsInteractive.ShouldBeFalse();

    [Fact]
    public void NoColor_TakesColourAndNothingElse() =>
        Detect(isTerminal: true, ("TERM", "xterm"), ("NO_COLOR", "1")).ShouldBe(new Terminal(true, false, 120, 40));

    private static Terminal Detect(bool isTerminal, params (string Name, string Value)[] environment) => Terminal.Detect(
        isTerminal,
        name => environment.LastOrDefault(variable => variable.Name == name).Value,
        () => (120, 40));
}
