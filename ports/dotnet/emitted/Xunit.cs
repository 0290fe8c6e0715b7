// What of xUnit the emitted tests use, for machines without NuGet: three names, and a program that runs the tests. Where there is
// xUnit, leave this file out.

using System;
using System.Collections.Generic;
using System.Linq;
using System.Reflection;

namespace Xunit
{
    [AttributeUsage(AttributeTargets.Method)]
    public sealed class TheoryAttribute : Attribute
    {
    }

    [AttributeUsage(AttributeTargets.Method)]
    public sealed class MemberDataAttribute : Attribute
    {
        public MemberDataAttribute(string memberName) => MemberName = memberName;

        public string MemberName { get; }
    }

    public static class Assert
    {
        public static void Equal(string expected, string actual)
        {
            if (!string.Equals(expected, actual, StringComparison.Ordinal))
                throw new Exception("expected " + expected + "\n     got " + actual);
        }
    }

    static class Runner
    {
        static int Main()
        {
            int passed = 0, failed = 0;
            foreach (Type type in Assembly.GetExecutingAssembly().GetTypes())
            {
                foreach (MethodInfo test in type.GetMethods().Where(method => method.IsDefined(typeof(TheoryAttribute))))
                {
                    string data = test.GetCustomAttribute<MemberDataAttribute>().MemberName;
                    var rows = (IEnumerable<object[]>)type.GetProperty(data).GetValue(null);
                    foreach (object[] row in rows)
                    {
                        try
                        {
                            test.Invoke(Activator.CreateInstance(type), row);
                            passed++;
                        }
                        catch (TargetInvocationException e)
                        {
                            failed++;
                            Console.WriteLine("FAILED " + row[0] + "\n" + e.InnerException.Message);
                        }
                    }
                }
            }
            Console.WriteLine(failed + " failed\n" + passed + " passed");
            return failed == 0 && passed > 0 ? 0 : 1;
        }
    }
}
