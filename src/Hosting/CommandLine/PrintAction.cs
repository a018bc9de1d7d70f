using System.CommandLine;
using System.CommandLine.Invocation;

namespace RedisLatency.Hosting.CommandLine;

/// <summary>Prints something instead of running the command, whatever else is on the command line.</summary>
internal sealed class PrintAction(Action<ParseResult> print) : SynchronousCommandLineAction
{
    public override bool ClearsParseErrors => true;

    public override int Invoke(ParseResult parseResult)
    {
        print(parseResult);
        return 0;
    }
}
